package io.leasehold;

import io.leasehold.LeaseObserver.Observed;
import io.leasehold.LeaseObserver.Scope;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The observers of one lease. Nothing that they throw comes through. Safe for use by several threads. */
final class Observers {
    /** An operation that nobody observes. */
    static final Observed UNOBSERVED = (outcome, failure) -> {};

    private final List<GuardedObserver> observers = new CopyOnWriteArrayList<>();

    void add(LeaseObserver observer) {
        observers.add(new GuardedObserver(observer));
    }

    Observed begin(LeaseOperation operation, Lease lease) {
        return begin(operation, lease.name(), lease.holder(), lease.epoch());
    }

    Observed begin(LeaseOperation operation, String lease, String holder, long epoch) {
        if (observers.isEmpty()) {
            return UNOBSERVED;
        }
        return new All(observers.stream()
                .map(observer -> observer.begin(operation, lease, holder, epoch))
                .toList());
    }

    private record All(List<Observed> begun) implements Observed {

        @Override
        public Scope enter() {
            List<Scope> scopes = begun.stream().map(Observed::enter).toList();
            return () -> {
                // What was entered last is left first.
                for (int i = scopes.size() - 1; i >= 0; i--) {
                    scopes.get(i).close();
                }
            };
        }

        @Override
        public void end(LeaseOutcome outcome, @Nullable Throwable failure) {
            begun.forEach(observation -> observation.end(outcome, failure));
        }
    }
}
