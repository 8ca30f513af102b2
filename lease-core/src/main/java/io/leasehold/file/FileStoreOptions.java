package io.leasehold.file;

/**
 * How directories and files are made.
 *
 * @param create whether the last component of the path is created where it is missing; parents never are
 * @param groupAccess whether the files' group may read and write them; otherwise only their owner can
 */
public record FileStoreOptions(boolean create, boolean groupAccess) {

    /** Creates the directory where it is missing; owner only. */
    public static final FileStoreOptions DEFAULTS = new FileStoreOptions(true, false);
}
