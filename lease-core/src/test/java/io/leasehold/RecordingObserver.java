package io.leasehold;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records each operation when it has ended, and how many threads are inside one. */
final class RecordingObserver implements LeaseObserver {
    final List<String> ended = new ArrayList<>();
    final List<String> causes = new ArrayList<>();
    int underWay;
    int inside;

    @Override
    public Observed begin(LeaseOperation operation, String lease, String holder, long epoch) {
        underWay++;
        return new Observed() {
            @Override
            public Scope enter() {
                inside++;
                return () -> inside--;
            }

            @Override
            public void end(LeaseOutcome outcome, @Nullable Throwable failure) {
                underWay--;
                ended.add(operation + " " + epoch + " " + outcome);
                if (failure != null) {
                    causes.add(operation + ": " + failure.getMessage());
                }
            }
        };
    }

    /** What has ended since this was asked last. */
    List<String> take() {
        List<String> taken = List.copyOf(ended);
        ended.clear();
        return taken;
    }
}
