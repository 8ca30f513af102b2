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
        UNMOUNTED,
        GARBLED,
        POWER_FAILURE
    }

    /** What a host's clocks do. */
    enum ClockHabit {
        STEADY,
        WALL_CLOCK_IS_STEPPED,
        HOST_IS_SUSPENDED
    }

    private static final long SKEW_MS = 4_000;
    private static final long WALL_CLOCK_MS = 1_764_547_200_000L;
    private static final int EVENTS = 150;
    private static final int MORE_EVENTS = 150;

    final List<LeaseSettings> settings = new ArrayList<>();
    final List<ClockHabit> clockHabits = new ArrayList<>();
    final int events;
    final boolean withState;
    final boolean stateIsBelow;
    final boolean directoryIsThere;
    final boolean linksWork;
    final int listeners;
    final Incident incident;
    /** How often trouble comes, from 0 to 4. */
    final int trouble;
    /** Whether the wall clocks are far apart, and a standby therefore always observes a ttl. */
    final boolean wildClocks;

    private final SplittableRandom random;

    SimulationScenario(SplittableRandom random) {
        this.random = random;
        events = EVENTS + random.nextInt(MORE_EVENTS);
        withState = random.nextInt(10) > 0;
        stateIsBelow = random.nextBoolean();
        directoryIsThere = random.nextInt(10) > 0;
        linksWork = random.nextInt(8) > 0;
        listeners = 1 + random.nextInt(2);
        trouble = random.nextInt(5);
        wildClocks = random.nextInt(4) == 0;
        boolean equalTtls = random.nextInt(3) > 0;
        incident = drawIncident(equalTtls);
        int contenders = 2 + random.nextInt(2);
        Duration drain = List.of(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(3))
                .get(random.nextInt(3));
        for (int i = 0; i < contenders; i++) {
            settings.add(drawSettings(equalTtls, drain));
            clockHabits.add(ClockHabit.values()[random.nextInt(3)]);
        }
    }

    SimulatedClock drawClock(Runnable onRead) {
        long nearOverflow =
                Long.MAX_VALUE - Duration.ofSeconds(random.nextInt(60)).toNanos();
        long monotonicNs =
                random.nextBoolean() ? nearOverflow : random.nextLong(-1_000_000_000_000L, 1_000_000_000_000L);
        return new SimulatedClock(monotonicNs, WALL_CLOCK_MS + drawSkewMs(), random.nextInt(-500, 501), onRead);
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
        Incident drawn = Incident.values()[random.nextInt(Incident.values().length)];
        return switch (drawn) {
            case NONE, POWER_FAILURE -> drawn;
            case EMPTIED, RESTORED -> withState ? drawn : Incident.NONE;
            case UNMOUNTED -> withState && !stateIsBelow ? drawn : Incident.NONE;
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
        return settings.size() + " processes, ttls "
                + settings.stream().map(LeaseSettings::ttl).toList() + ", drain timeout "
                + settings.get(0).drainTimeout() + ", clocks " + clockHabits + (wildClocks ? " far apart" : "")
                + (withState ? "" : ", no state store") + (linksWork ? "" : ", no links") + ", incident " + incident;
    }
}
