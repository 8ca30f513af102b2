package io.leasehold.store;

/** One conditional write of a store on its own, without what is made of its outcome. */
public final class LeaseWrites {
    private LeaseWrites() {}

    public static boolean write(ConditionalLeaseStore store, LeaseSnapshot expected, LeaseRecord next)
            throws LeaseStoreException {
        return store.write(expected, next);
    }
}
