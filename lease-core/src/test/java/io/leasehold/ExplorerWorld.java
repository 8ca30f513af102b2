package io.leasehold;

import io.leasehold.file.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What an exploration is made of: the processes, how far time goes, and what may happen how often. */
final class ExplorerWorld {
    /** What happens at most so often in one history. */
    enum Allowance {
        MOMENTS(0),
        FAILED_READS(1),
        FAILED_WRITES(2),
        CRASHES(3),
        POWER_FAILURES(4),
        STEP_DOWNS(5),
        COMMITS(6),
        EMPTIED(7),
        RESTORED(8),
        GARBLED(9),
        SEGMENT_GARBLED(10);

        /** Where a state counts it. */
        final int slot;

        Allowance(int slot) {
            this.slot = slot;
        }
    }

    /** A little more than a renew interval. */
    static final Duration TICK = Duration.ofMillis(1_050);

    /** As long as a failed operation waits before it is tried again. */
    static final Duration MOMENT = Duration.ofMillis(100);

    static final Path LEASE = Path.of("/lease");
    static final Path STATE = Path.of("/state");
    static final String NAME = "orders";
    static final String LEASE_ID = "id";

    private static final Duration RENEW_INTERVAL = Duration.ofSeconds(1);
    private static final Duration SHORT_RENEW_INTERVAL = Duration.ofMillis(500);

    private final String title;
    final List<LeaseSettings> settings = new ArrayList<>();
    final Map<Allowance, Integer> allowed = new EnumMap<>(Allowance.class);
    final List<String> guide = new ArrayList<>();
    int ticks = 4;
    boolean withState = true;

    private ExplorerWorld(String title) {
        this.title = title;
    }

    /** A world of processes with one ttl each, in ticks, and no time to drain. */
    static ExplorerWorld of(String title, int... ttls) {
        ExplorerWorld world = new ExplorerWorld(title);
        for (int ttl : ttls) {
            world.settings.add(settings(ttl, 0));
        }
        return world;
    }

    /** Processes that have so many ticks to drain. */
    ExplorerWorld draining(int ticks) {
        settings.replaceAll(s -> settings((int) s.ttl().dividedBy(TICK), ticks));
        return this;
    }

    /** Processes that take all wall clocks to be alike. */
    ExplorerWorld trustingClocks() {
        settings.replaceAll(s -> new LeaseSettings(
                s.name(),
                s.holderPrefix(),
                s.ttl(),
                s.renewInterval(),
                s.drainTimeout(),
                s.verifyDelay(),
                Duration.ZERO));
        return this;
    }

    ExplorerWorld allow(Allowance what, int howOften) {
        allowed.put(what, howOften);
        return this;
    }

    ExplorerWorld lasting(int howManyTicks) {
        ticks = howManyTicks;
        return this;
    }

    /** Explored from where these lines lead to, as {@link ExplorerGuide} reads them. */
    ExplorerWorld after(String... lines) {
        guide.addAll(List.of(lines));
        return this;
    }

    ExplorerWorld withoutState() {
        withState = false;
        return this;
    }

    /**
     * Whether something can happen to the storage now, and the protocol covers it: no epochs are lost while one is claimed,
     * and contents only where everybody knows the longest ttl that they may have named.
     */
    boolean canHappen(Allowance incident, ExploredState at, Explorer explorer) {
        Path where = incident == Allowance.SEGMENT_GARBLED ? STATE : LEASE;
        if (explorer.files(at).highestEpoch(where) <= (incident == Allowance.RESTORED ? 1 : 0)) {
            return false;
        }
        for (int i = 0; i < at.processes(); i++) {
            boolean running = at.process(i) != ExploredState.DOWN;
            boolean covered = switch (incident) {
                case EMPTIED, RESTORED -> !running || explorer.view(at, i).request() == null;
                case GARBLED -> running && explorer.view(at, i).longestTtl().equals(longestTtl());
                default -> true;
            };
            if (!covered) {
                return false;
            }
        }
        return true;
    }

    private Duration longestTtl() {
        return settings.stream()
                .map(LeaseSettings::ttl)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Lets it happen. */
    void happens(Allowance incident, SimulatedDisk files) throws IOException {
        switch (incident) {
            case EMPTIED -> files.emptyEpochs(LEASE);
            case RESTORED -> files.keepEpochsUpTo(LEASE, 1);
            case GARBLED -> files.garble(LEASE, 0);
            case SEGMENT_GARBLED -> files.garble(STATE, 0);
            default -> throw new IllegalArgumentException(incident + " does not happen to the storage alone");
        }
    }

    @Override
    public String toString() {
        return title;
    }

    private static LeaseSettings settings(int ttl, int drain) {
        return LeaseSettings.builder(NAME)
                .holderPrefix("host")
                .ttl(TICK.multipliedBy(ttl))
                .renewInterval(ttl == 1 ? SHORT_RENEW_INTERVAL : RENEW_INTERVAL)
                .verifyDelay(MOMENT)
                .drainTimeout(RENEW_INTERVAL.multipliedBy(drain))
                .build();
    }
}
