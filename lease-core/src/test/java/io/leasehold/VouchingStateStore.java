package io.leasehold;

import io.leasehold.state.StateHead;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStore;
import java.util.Map;
import java.util.Set;

/** A state store whose witness hears of every state that it hands out or acknowledges. */
final class VouchingStateStore implements StateStore {
    /** Hears of what is begun. */
    interface Witness {
        Vouched begun(long epoch, boolean opens);
    }

    /** Hears of the keys in the state that was handed out or acknowledged. */
    interface Vouched {
        void with(Set<String> keys);
    }

    private final StateStore store;
    private final Witness witness;

    VouchingStateStore(StateStore store, Witness witness) {
        this.store = store;
        this.witness = witness;
    }

    @Override
    public StateHead head() {
        return store.head();
    }

    @Override
    public StateSession open(long epoch, String holder, String leaseId) {
        Vouched vouched = witness.begun(epoch, true);
        StateSession session = store.open(epoch, holder, leaseId);
        vouched.with(session.entries().keySet());
        return new StateSession() {
            @Override
            public Map<String, String> entries() {
                return session.entries();
            }

            @Override
            public void write(Map<String, String> entries) {
                Vouched written = witness.begun(epoch, false);
                session.write(entries);
                written.with(entries.keySet());
            }
        };
    }

    @Override
    public Map<String, String> snapshot() {
        return store.snapshot();
    }

    @Override
    public String location() {
        return store.location();
    }
}
