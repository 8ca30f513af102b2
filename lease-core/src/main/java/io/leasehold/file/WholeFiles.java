package io.leasehold.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates and replaces files of one directory as wholes: nobody ever sees a part of one, where the file system has links.
 * Each write goes to a temporary file first, whose name tells the epoch that it is for. Safe for use by several threads.
 */
final class WholeFiles {
    private static final Logger LOG = LoggerFactory.getLogger(WholeFiles.class);
    private static final Pattern TEMPORARY = Pattern.compile("\\.([0-9]{1,18})\\.[0-9a-f-]+\\.tmp");

    private final Path directory;
    private final FileOperations files;
    private final Set<Path> perhapsUnderWay = ConcurrentHashMap.newKeySet();

    WholeFiles(Path directory, FileOperations files) {
        this.directory = directory;
        this.files = files;
    }

    /** Whether a name is that of a temporary file for an epoch up to this one. */
    static boolean isTemporaryUpTo(long epoch, String name) {
        Matcher matcher = TEMPORARY.matcher(name);
        return matcher.matches() && Long.parseLong(matcher.group(1)) <= epoch;
    }

    /**
     * Replaces a file that nobody else writes. A rename that was reported as failed may still be under way; it can land on a
     * later one only while its source is there.
     */
    void replace(long epoch, Path name, byte[] contents) throws IOException {
        for (Iterator<Path> earlier = perhapsUnderWay.iterator(); earlier.hasNext(); earlier.remove()) {
            files.delete(earlier.next());
        }
        Path temporary = temporary(epoch);
        try {
            files.create(temporary, contents);
            files.move(temporary, name);
        } catch (IOException | RuntimeException e) {
            if (!discard(temporary)) {
                perhapsUnderWay.add(temporary);
            }
            throw e;
        }
    }

    /**
     * Links a complete file to a name that nobody has yet; false where another has it. A link that fails in any way may have
     * happened: the very bytes read back mean that it did. Where nothing has the name, links may not be possible here: then
     * only a clean exclusive create has won.
     */
    boolean create(long epoch, Path name, byte[] contents) throws IOException {
        Path temporary = temporary(epoch);
        try {
            files.create(temporary, contents);
            try {
                files.link(name, temporary);
                return true;
            } catch (IOException | UnsupportedOperationException e) {
                byte[] found = files.read(name, contents.length + 1);
                if (found != null) {
                    return Arrays.equals(found, contents);
                }
                if (canLink(temporary)) {
                    throw new IOException(name + " could not be linked, and is not there", e);
                }
                LOG.debug("{} could not be linked; creating it exclusively", name, e);
            }
            files.create(name, contents);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } finally {
            discard(temporary);
        }
    }

    /** Where links are possible none is made without: an exclusive create can be torn, and leave a part of the contents. */
    private boolean canLink(Path temporary) {
        Path probe = temporary(0);
        try {
            files.link(probe, temporary);
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("No links in {}", directory, e);
            return false;
        } finally {
            discard(probe);
        }
    }

    private Path temporary(long epoch) {
        return directory.resolve("." + epoch + "." + UUID.randomUUID() + ".tmp");
    }

    /** A temporary file that stays is harmless: its name is never used again, and a later clean-up finds it. */
    private boolean discard(Path temporary) {
        try {
            files.delete(temporary);
            return true;
        } catch (IOException e) {
            LOG.debug("{} could not be deleted", temporary, e);
            return false;
        }
    }
}
