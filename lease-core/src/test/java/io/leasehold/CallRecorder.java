package io.leasehold;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records its calls, and then does what a test says. Safe for use by several threads. */
final class CallRecorder implements LeaseListener {
    final List<String> calls = new CopyOnWriteArrayList<>();
    volatile Runnable onAcquired = () -> {};
    volatile Runnable onSurrendered = () -> {};

    @Override
    public void onAcquired(Lease lease) {
        calls.add("acquired " + lease.epoch());
        onAcquired.run();
    }

    @Override
    public void onSurrendered(Lease lease, SurrenderReason reason) {
        calls.add("surrendered " + lease.epoch() + " " + reason);
        onSurrendered.run();
    }
}
