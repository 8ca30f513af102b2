package io.leasehold;

import io.leasehold.SimulationChecks.Rule;
import io.leasehold.file.FileRequest;
import org.jspecify.annotations.Nullable;

/** The work of an explored process: it begins when it is told to, and goes on until its surrender is confirmed. */
final class ExploredWork implements LeaseListener {
    private final ExploredProcess process;
    private @Nullable Lease told;
    private boolean goingOn;

    ExploredWork(ExploredProcess process) {
        this.process = process;
    }

    boolean isTold() {
        return told != null;
    }

    boolean isGoingOn() {
        return goingOn;
    }

    /** What its future depends on. */
    String state() {
        Lease lease = told;
        return (lease == null ? 0 : lease.epoch()) + " " + goingOn;
    }

    @Override
    public void onAcquired(Lease lease) {
        if (told != null) {
            process.broken(Rule.CALLS_COME_IN_PAIRS, "acquired " + lease.epoch() + ", told was " + told);
        }
        told = lease;
        goingOn = true;
    }

    @Override
    public void onSurrendered(Lease lease, SurrenderReason reason) {
        if (told != lease) {
            process.broken(Rule.CALLS_COME_IN_PAIRS, "surrendered " + lease.epoch() + ", told was " + told);
        }
        told = null;
        goingOn = false;
    }

    /** A release says so in the file that it is about to write. */
    void looksAt(FileRequest request) {
        if (goingOn && request.text().contains("\"released\":true")) {
            process.broken(Rule.RELEASED_AFTER_THE_WORK, "a release while the work goes on");
        }
    }
}
