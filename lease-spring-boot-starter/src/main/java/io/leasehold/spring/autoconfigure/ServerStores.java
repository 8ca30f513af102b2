package io.leasehold.spring.autoconfigure;

import io.leasehold.LeaseSettings;
import io.leasehold.state.ConditionalStateStore;
import io.leasehold.state.StateStore;
import io.leasehold.store.BoundedCall;
import io.leasehold.store.ConditionalLeaseStore;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.UnsuitableStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Leases and states on a server. Once all beans are there each is looked at: what a person has to mend on a server that
 * answers ends the start; a server that does not answer is waited for.
 */
abstract class ServerStores implements StoreBackEnd, SmartInitializingSingleton {
    private static final Logger LOG = LoggerFactory.getLogger(ServerStores.class);

    private static final Duration LONGEST_CALL = Duration.ofSeconds(10);
    private static final Duration LONGEST_CHECK = Duration.ofSeconds(5);
    private static final String NOT_YET = "What the lease is kept in cannot be used yet; it is tried again and again";

    private interface Check {
        void run() throws LeaseStoreException;
    }

    private boolean instantiated;
    private final List<Check> checks = new ArrayList<>();

    abstract ConditionalLeaseStore newLeaseStore(LeaseSettings settings);

    abstract ConditionalStateStore newStateStore(LeaseSettings settings);

    @Override
    public final LeaseStore leaseStore(LeaseSettings settings) {
        ConditionalLeaseStore store = newLeaseStore(settings);
        checkInTime(store::check);
        return store;
    }

    @Override
    public final StateStore stateStore(LeaseSettings settings) {
        ConditionalStateStore store = newStateStore(settings);
        checkInTime(store::check);
        return store;
    }

    /** How long a call may take: one that hangs leaves room for another before the next renew, and holds up no commit long. */
    static Duration timeout(LeaseSettings settings) {
        Duration half = settings.renewInterval().dividedBy(2);
        return half.compareTo(LONGEST_CALL) > 0 ? LONGEST_CALL : half;
    }

    /** Now where the beans are there already, as with lazy initialization. */
    private void checkInTime(Check check) {
        checks.add(check);
        if (instantiated) {
            runChecks();
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        instantiated = true;
        runChecks();
    }

    /** All of them together hold up the start for a few seconds at most. */
    private void runChecks() {
        List<Check> due = List.copyOf(checks);
        checks.clear();
        try {
            BoundedCall.run(() -> run(due), LONGEST_CHECK, call -> call.cancel(true));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnsuitableStoreException unsuitable) {
                throw unsuitable;
            }
            LOG.warn(NOT_YET, e.getCause());
        } catch (TimeoutException e) {
            LOG.warn(NOT_YET, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean run(List<Check> checks) throws LeaseStoreException {
        for (Check check : checks) {
            check.run();
        }
        return true;
    }
}
