package io.leasehold;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The world of one history, drawn from its seed. */
final class SimulationScenario {
    /** What happens to the lease's directory at most once in a history, where the protocol covers it. */
    enum Incident {
        NONE,
        EMPTIED,
        RESTORED,
        REMOVED,
        UNMOUNTED,
        GARBLED,
        POWER_FAILURE,
        FAIL_OVER
    }

    /** What a host's clocks do, besides going on at nearly the right rate. */
    enum ClockHabit {
        STEADY,
        WALL_CLOCK_IS_STEPPED,
        HOST_IS_SUSPENDED,
        /** Only in histories of a kind of their own. */
        BOTH_STAND_STILL
    }

    private static final List<Incident> IN_FILES = List.of(
            Incident.NONE,
            Incident.EMPTIED,
            Incident.RESTORED,
            Incident.REMOVED,
            Incident.UNMOUNTED,
            Incident.GARBLED,
            Incident.POWER_FAILURE);
    private static final List<Incident> ON_SERVERS =
            List.of(Incident.NONE, Incident.EMPTIED, Incident.RESTORED, Incident.GARBLED);

    private static final long SKEW_MS = 4_000;
    private static final long WALL_CLOCK_MS = 1_764_547_200_000L;
    private static final int EVENTS = 150;
    private static final int MORE_EVENTS = 150;
    private static final int MOST_SLEW_PPM = 500;
    private static final List<Integer> PROCESSES = List.of(2, 2, 2, 3, 3, 3, 4, 5);

    final List<LeaseSettings> settings = new ArrayList<>();
    final List<ClockHabit> clockHabits = new ArrayList<>();
    final SimulationKind kind;
    final int events;
    final boolean withState;
    final boolean stateIsBelow;
    final boolean directoryIsThere;
    final boolean linksWork;
    /** Whether a process is told, mostly, of what others change in the lease's directory. */
    final boolean changesAreTold;

    final int listeners;
    final Incident incident;
    /** How often trouble comes, from 0 to 4. */
    final int trouble;
    /** Whether the wall clocks are far apart, and a standby therefore always observes a ttl. */
    final boolean wildClocks;

    /** Whether the lease and its state are on a server, instead of in files. */
    final boolean onServer;

    private final SplittableRandom random;

    SimulationScenario(SplittableRandom random, boolean onServer) {
        this.random = random;
        this.onServer = onServer;
        kind = onServer ? drawKindOfServer() : drawKind();
        events = EVENTS + random.nextInt(MORE_EVENTS);
        withState = kind.isStale() || kind.failsOver() || random.nextInt(10) > 0;
        stateIsBelow = random.nextBoolean();
        directoryIsThere = random.nextInt(10) > 0;
        linksWork = onServer || random.nextInt(8) > 0;
        changesAreTold = random.nextBoolean();
        listeners = 1 + random.nextInt(2);
        trouble = kind.isStale() ? 2 + random.nextInt(3) : random.nextInt(5);
        wildClocks = random.nextInt(4) == 0;
        boolean equalTtls = random.nextInt(3) > 0;
        incident = drawIncident(equalTtls);
        int contenders = PROCESSES.get(random.nextInt(PROCESSES.size()));
        Duration drain = List.of(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(3))
                .get(random.nextInt(3));
        for (int i = 0; i < contenders; i++) {
            settings.add(drawSettings(equalTtls, drain));
            clockHabits.add(drawHabit());
        }
    }

    private SimulationKind drawKind() {
        return switch (random.nextInt(20)) {
            case 0 -> SimulationKind.STALE_LEASE;
            case 1 -> SimulationKind.STALE_STORAGE;
            case 2 -> SimulationKind.CLOCKS_STAND_STILL;
            default -> SimulationKind.SOUND;
        };
    }

    private SimulationKind drawKindOfServer() {
        return switch (random.nextInt(10)) {
            case 0 -> SimulationKind.LEASE_FAILS_OVER;
            case 1 -> SimulationKind.STORES_FAIL_OVER;
            case 2 -> SimulationKind.CLOCKS_STAND_STILL;
            default -> SimulationKind.SOUND;
        };
    }

    private ClockHabit drawHabit() {
        ClockHabit drawn = ClockHabit.values()[random.nextInt(3)];
        boolean standsStill = kind == SimulationKind.CLOCKS_STAND_STILL && random.nextBoolean();
        return standsStill ? ClockHabit.BOTH_STAND_STILL : drawn;
    }

    SimulatedClock drawClock(Runnable onRead) {
        long nearOverflow =
                Long.MAX_VALUE - Duration.ofSeconds(random.nextInt(60)).toNanos();
        long monotonicNs =
                random.nextBoolean() ? nearOverflow : random.nextLong(-1_000_000_000_000L, 1_000_000_000_000L);
        return new SimulatedClock(monotonicNs, WALL_CLOCK_MS + drawSkewMs(), drawSlewPpm(), onRead);
    }

    /** As much as a time service makes a clock faster or slower in order to correct it. */
    int drawSlewPpm() {
        return random.nextInt(3) > 0
                ? random.nextInt(-MOST_SLEW_PPM, MOST_SLEW_PPM + 1)
                : random.nextBoolean() ? MOST_SLEW_PPM : -MOST_SLEW_PPM;
    }

    /** How far a host's wall clock is set wrong; any two of them differ by less than the allowed skew. */
    long drawSkewMs() {
        return wildClocks
                ? random.nextLong(
                        -Duration.ofMinutes(10).toMillis(),
                        Duration.ofMinutes(10).toMillis())
                : random.nextLong(-SKEW_MS / 4, SKEW_MS / 4);
    }

    private Incident drawIncident(boolean equalTtls) {
        if (kind != SimulationKind.SOUND) {
            return kind.failsOver() ? Incident.FAIL_OVER : Incident.NONE;
        }
        List<Incident> possible = onServer ? ON_SERVERS : IN_FILES;
        Incident drawn = possible.get(random.nextInt(possible.size()));
        return switch (drawn) {
            case NONE, POWER_FAILURE, FAIL_OVER -> drawn;
            case EMPTIED, RESTORED -> withState ? drawn : Incident.NONE;
            case UNMOUNTED, REMOVED -> withState && !stateIsBelow ? drawn : Incident.NONE;
            case GARBLED -> equalTtls ? drawn : Incident.NONE;
        };
    }

    private LeaseSettings drawSettings(boolean equalTtls, Duration drain) {
        Duration ttl = Duration.ofSeconds(equalTtls ? 10 : List.of(6, 10, 20).get(random.nextInt(3)));
        return LeaseSettings.builder("orders")
                .holderPrefix("host")
                .ttl(ttl)
                .drainTimeout(drain)
                .maxClockSkew(wildClocks ? Duration.ofDays(365) : Duration.ofMillis(SKEW_MS))
                .build();
    }

    @Override
    public String toString() {
        return (onServer ? "on a server, " : "") + kind + ", " + settings.size() + " processes, ttls "
                + settings.stream().map(LeaseSettings::ttl).toList() + ", drain timeout "
                + settings.get(0).drainTimeout() + ", clocks " + clockHabits + (wildClocks ? " far apart" : "")
                + (withState ? "" : ", no state store") + (linksWork ? "" : ", no links")
                + (changesAreTold ? "" : ", changes are not told") + ", incident " + incident;
    }
}
