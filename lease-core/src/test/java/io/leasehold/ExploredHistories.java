package io.leasehold;

import io.leasehold.ExploredProcess.Birth;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The states that processes can be in, each known by a history that leads to it. The shipped code is run once for every
 * state and everything that can happen in it: again from the process's start, with the replies that were heard then.
 */
final class ExploredHistories {
    /** Where something that happens leads to, and what the process does on the way. */
    record Step(History next, List<ExploredEmission> emissions) {}

    /** One state of one process. */
    static final class History {
        private final int number;
        private final Birth birth;
        private final @Nullable History before;
        private final @Nullable ExploredInput last;
        private final ExploredView view;
        private final Map<ExploredInput, Step> steps = new HashMap<>(4);

        private History(
                int number, Birth birth, @Nullable History before, @Nullable ExploredInput last, ExploredView view) {
            this.number = number;
            this.birth = birth;
            this.before = before;
            this.last = last;
            this.view = view;
        }

        int number() {
            return number;
        }

        Birth birth() {
            return birth;
        }

        ExploredView view() {
            return view;
        }

        private List<ExploredInput> inputs() {
            List<ExploredInput> inputs = new ArrayList<>();
            for (History at = this; at.before != null && at.last != null; at = at.before) {
                inputs.add(at.last);
            }
            Collections.reverse(inputs);
            return inputs;
        }
    }

    /** The last run of a process that can go on, and where it is. */
    private record Live(ExploredProcess process, History at) {}

    private final ExplorerWorld world;
    private final List<ExploredReply> replies;
    private final List<History> all = new ArrayList<>();
    private final Map<String, History> quiet = new HashMap<>();
    private final Map<Birth, History> births = new HashMap<>();
    private final Map<Integer, Live> live = new HashMap<>();
    private long runs;
    private long inputsRun;

    ExploredHistories(ExplorerWorld world, List<ExploredReply> replies) {
        this.world = world;
        this.replies = replies;
    }

    History get(int number) {
        return all.get(number);
    }

    int size() {
        return all.size();
    }

    /** How often the shipped code was run from a process's start, and through how many inputs in all. */
    String effort() {
        return runs + " runs of " + inputsRun + " inputs";
    }

    /** A process that has just started. */
    History born(Birth birth) {
        return births.computeIfAbsent(birth, b -> {
            ExploredProcess process = new ExploredProcess(world, b, replies);
            return add(b, null, null, process);
        });
    }

    /** What happens next. */
    Step after(History at, ExploredInput input) {
        Step known = at.steps.get(input);
        if (known == null) {
            known = run(at, input);
            at.steps.put(input, known);
        }
        return known;
    }

    private Step run(History at, ExploredInput input) {
        Live last = live.remove(at.birth.process());
        ExploredProcess process;
        List<ExploredInput> inputs = new ArrayList<>();
        if (last != null && last.at == at) {
            process = last.process;
        } else {
            process = new ExploredProcess(world, at.birth, replies);
            inputs.addAll(at.inputs());
            runs++;
        }
        inputs.add(input);
        inputsRun += inputs.size();
        process.run(inputs);
        if (!process.isQuiet()) {
            return new Step(add(at.birth, at, input, process), process.emissions());
        }
        String digest = at.birth.holder() + process.digest();
        History next = quiet.get(digest);
        if (next == null) {
            next = add(at.birth, at, input, process);
            quiet.put(digest, next);
        }
        live.put(at.birth.process(), new Live(process, next));
        return new Step(next, process.emissions());
    }

    private History add(Birth birth, @Nullable History before, @Nullable ExploredInput last, ExploredProcess process) {
        History added = new History(all.size(), birth, before, last, process.view());
        all.add(added);
        return added;
    }
}
