package io.leasehold.state;

import io.leasehold.store.UnsuitableStoreException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A state that is replaced as a whole, on the condition that it still is what was read: in a database, a key-value store or
 * an object store. A back end reads, writes under the condition, and says whether it held; the fence is decided here, once
 * for all of them.
 *
 * <p>The condition names the epoch, the holder and the sequence that the writer left there. So opening an epoch, which is
 * such a write too, refuses every write of an older one, and a write that arrives late replaces no later one. A refused
 * write of the holder of the highest epoch finds its own earlier write, whose outcome was unknown, or a state that was
 * deleted or set back under it: it then writes the whole state again on the condition of what was found.
 */
public abstract class ConditionalStateStore implements StateStore {
    private static final int ATTEMPTS = 4;

    /** A holder that was succeeded may commit without a pause until it is sealed; each of its commits can come first. */
    private static final int OPEN_ATTEMPTS = 64;

    /** A store without a connection. */
    protected ConditionalStateStore() {}

    /**
     * Reads the whole state.
     *
     * @return what is there; null where there is nothing
     * @throws StateStoreException when it cannot be told, or what is there cannot be understood
     */
    protected abstract @Nullable StateRecord read();

    /**
     * Writes the whole state if it still is what was read. One conditional write: no retries, no second look.
     *
     * @param expected what has to be there, by its epoch, holder and sequence; null for nothing
     * @param next the state to write
     * @return false where something else was there and nothing was written
     * @throws StateStoreException when it is not known whether the state was written
     */
    protected abstract boolean write(@Nullable StateRecord expected, StateRecord next);

    /**
     * Looks once, before anybody relies on it, whether this process may do with the state what it has to. Writes nothing.
     *
     * @throws UnsuitableStoreException when a person has to change something first
     * @throws StateStoreException when that cannot be told, because the server cannot be reached, say
     */
    public void check() {
        StateRecord unused = read();
    }

    @Override
    public final StateHead head() {
        StateRecord found = read();
        return found == null ? new StateHead(0, null) : new StateHead(found.epoch(), found.leaseId());
    }

    @Override
    public final Map<String, String> snapshot() {
        StateRecord found = read();
        return found == null ? Map.of() : found.entries();
    }

    @Override
    public final StateSession open(long epoch, String holder, String leaseId) {
        for (int attempt = 0; attempt < OPEN_ATTEMPTS; attempt++) {
            StateRecord found = read();
            if (found != null) {
                requireOwn(found, epoch, holder, leaseId);
            }
            StateRecord next = new StateRecord(
                    leaseId,
                    holder,
                    epoch,
                    found == null ? 0 : found.sequence() + 1,
                    found == null ? Map.of() : found.entries());
            if (write(found, next)) {
                return new Session(next);
            }
        }
        throw restless(epoch);
    }

    private void requireOwn(StateRecord found, long epoch, String holder, String leaseId) {
        if (!found.leaseId().equals(leaseId)) {
            throw new StateStoreException(
                    "The state at " + location() + " belongs to lease id " + found.leaseId() + ", not " + leaseId
                            + ". If the lease was moved on purpose, set the id in the state to the new one.");
        }
        if (found.epoch() > epoch || (found.epoch() == epoch && !found.holder().equals(holder))) {
            throw new StateFenceException(location(), epoch, found.epoch());
        }
    }

    private StateStoreException restless(long epoch) {
        return new StateStoreException("The state at " + location() + " refused a write with epoch " + epoch
                + " again and again, though no higher epoch stands against it");
    }

    private final class Session implements StateSession {
        private final StateRecord opened;
        private StateRecord last;
        private long sequence;

        Session(StateRecord opened) {
            this.opened = opened;
            this.last = opened;
            this.sequence = opened.sequence();
        }

        @Override
        public Map<String, String> entries() {
            return opened.entries();
        }

        @Override
        public void write(Map<String, String> entries) {
            StateRecord basis = last;
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                sequence = Math.max(sequence, basis == null ? 0 : basis.sequence()) + 1;
                StateRecord next =
                        new StateRecord(opened.leaseId(), opened.holder(), opened.epoch(), sequence, entries);
                if (ConditionalStateStore.this.write(basis, next)) {
                    last = next;
                    return;
                }
                basis = read();
                if (basis != null) {
                    requireOwn(basis, opened.epoch(), opened.holder(), opened.leaseId());
                }
            }
            throw restless(opened.epoch());
        }
    }
}
