package io.leasehold;

/**
 * One thing that can happen next.
 *
 * @param process whom it happens to; 0 where it is no process
 * @param detail how a request ends, or which of several things happens; empty where there is nothing to tell
 */
record ExplorerEvent(Kind kind, int process, String detail) {
    enum Kind {
        TICK,
        MOMENT,
        STARTS,
        STEPS,
        COMMITS,
        HEARS,
        WORK_STOPS,
        GUARD,
        STEPS_DOWN,
        CRASHES,
        POWER_FAILS,
        LANDS,
        INCIDENT
    }

    ExplorerEvent(Kind kind, int process) {
        this(kind, process, "");
    }

    /** The name of a process. */
    static String name(int process) {
        return String.valueOf((char) ('A' + process));
    }

    /** What it reads like in a schedule, where the process saw this before. */
    String describe(ExploredView view) {
        String who = name(process);
        return switch (kind) {
            case TICK -> "a tick";
            case MOMENT -> "a moment";
            case HEARS -> who + " " + view.request() + " " + detail;
            case POWER_FAILS -> "the power fails, " + detail;
            case LANDS -> "what was under way lands, " + detail;
            case INCIDENT -> detail;
            default -> who + " " + kind;
        };
    }
}
