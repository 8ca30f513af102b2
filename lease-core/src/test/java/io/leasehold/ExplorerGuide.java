package io.leasehold;

import io.leasehold.Explorer.Successor;
import io.leasehold.ExplorerEvent.Kind;
import io.leasehold.file.FileRequest;
import io.leasehold.file.SimulatedFiles.Outcome;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a search begins that starts deep inside of a history. One line is one of: {@code tick}; {@code A}, which takes a step
 * to its end; {@code A until MOVE /lease/1.json}, which goes on until it asks for that; {@code A FAILS}, which hears that
 * outcome of what it asked for.
 */
final class ExplorerGuide {
    private final Explorer explorer;
    private final Consumer<Successor> onEvent;
    private ExploredState at;

    /**
     * @param onEvent hears of each event, right after it
     */
    ExplorerGuide(Explorer explorer, ExploredState begin, Consumer<Successor> onEvent) {
        this.explorer = explorer;
        this.at = begin;
        this.onEvent = onEvent;
    }

    /** Follows one line. */
    void follow(String line) {
        if (line.equals("tick")) {
            take(event -> event.kind() == Kind.TICK);
            return;
        }
        int process = line.charAt(0) - 'A';
        String rest = line.substring(1).trim();
        if (rest.isEmpty()) {
            goOn(process, Outcome.SUCCEEDS);
            while (request(process) != null) {
                goOn(process, Outcome.SUCCEEDS);
            }
        } else if (rest.startsWith("until ")) {
            while (!rest.equals("until " + request(process))) {
                goOn(process, Outcome.SUCCEEDS);
            }
        } else {
            goOn(process, Outcome.valueOf(rest));
        }
    }

    private @Nullable FileRequest request(int process) {
        return explorer.view(at, process).request();
    }

    private void goOn(int process, Outcome outcome) {
        Kind kind = request(process) == null ? Kind.STEPS : Kind.HEARS;
        String detail = kind == Kind.STEPS ? "" : outcome.name();
        take(new ExplorerEvent(kind, process, detail)::equals);
    }

    private void take(Predicate<ExplorerEvent> wanted) {
        Successor next = explorer.successors(at).stream()
                .filter(successor -> wanted.test(successor.event()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("The guide asks for what cannot happen here"));
        onEvent.accept(next);
        at = next.state();
    }
}
