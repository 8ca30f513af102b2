package io.leasehold.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Race;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every state store promises to holders that act at the same time. Each back end runs it. */
public abstract class StateStoreRaceContract {
    private static final String LEASE = "lease-1";
    private static final int HOLDERS = 4;

    private final Race race = new Race();

    /** Another process's handle on the one state of a test, which no epoch has opened before. */
    protected abstract StateStore newHandle() throws Exception;

    /** How often holders race; fewer where a store is slow. */
    protected int rounds() {
        return 40;
    }

    @AfterEach
    void endRace() throws Exception {
        race.end();
    }

    private List<StateStore> handles() throws Exception {
        List<StateStore> handles = new ArrayList<>();
        for (int i = 0; i < HOLDERS; i++) {
            handles.add(newHandle());
        }
        return handles;
    }

    @Test
    void exactlyOneOfManyHoldersOpensAnEpoch() throws Exception {
        List<StateStore> handles = handles();
        for (long round = 1; round <= rounds(); round++) {
            long epoch = round;
            List<Callable<Boolean>> opens = new ArrayList<>();
            for (int i = 0; i < HOLDERS; i++) {
                StateStore store = handles.get(i);
                String holder = "holder-" + i;
                opens.add(() -> {
                    try {
                        store.open(epoch, holder, LEASE);
                        return true;
                    } catch (StateFenceException e) {
                        return false;
                    }
                });
            }
            assertThat(race.run(opens)).containsOnlyOnce(true);
        }
    }

    @Test
    void everyAcknowledgedCommitIsInEveryStateOpenedLater() throws Exception {
        AtomicLong epochs = new AtomicLong();
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        AtomicLong opened = new AtomicLong();
        List<Callable<Void>> holders = new ArrayList<>();
        for (StateStore store : handles()) {
            holders.add(() -> {
                for (int round = 0; round < rounds(); round++) {
                    Set<String> before = new HashSet<>(acknowledged);
                    long epoch = epochs.incrementAndGet();
                    try {
                        StateSession session = store.open(epoch, "holder-" + epoch, LEASE);
                        opened.incrementAndGet();
                        assertThat(session.entries().keySet()).containsAll(before);
                        Map<String, String> entries = new HashMap<>(session.entries());
                        for (int i = 0; i < 5; i++) {
                            entries.put(epoch + "-" + i, "");
                            session.write(entries);
                            acknowledged.add(epoch + "-" + i);
                        }
                    } catch (StateFenceException e) {
                        assertThat(e.foundEpoch()).isGreaterThanOrEqualTo(epoch);
                    } catch (StateStoreException e) {
                        assertThat(store.head().epoch())
                                .as("an outcome is unknown only where a successor came")
                                .isGreaterThan(epoch);
                    }
                }
                return null;
            });
        }
        race.run(holders);
        assertThat(opened.get()).isPositive();
        assertThat(acknowledged).isNotEmpty();
        assertThat(newHandle().snapshot().keySet()).containsAll(acknowledged);
    }

    @Test
    void aReaderSeesEveryCommitWhole() throws Exception {
        StateStore holder = newHandle();
        StateStore reader = newHandle();
        holder.open(1, "holder", LEASE).write(Map.of("a", "0", "b", "0"));
        AtomicBoolean done = new AtomicBoolean();
        race.run(List.<Callable<Void>>of(
                () -> {
                    try {
                        for (long epoch = 2; epoch < 2 + rounds(); epoch++) {
                            StateSession session = holder.open(epoch, "holder", LEASE);
                            session.write(Map.of("a", "" + epoch, "b", "" + epoch));
                        }
                    } finally {
                        done.set(true);
                    }
                    return null;
                },
                () -> {
                    long last = 0;
                    boolean written;
                    do {
                        written = done.get();
                        Map<String, String> entries = reader.snapshot();
                        assertThat(entries).hasSize(2);
                        assertThat(entries.get("a")).isEqualTo(entries.get("b"));
                        long now = Long.parseLong(entries.getOrDefault("a", "-1"));
                        assertThat(now).isGreaterThanOrEqualTo(last);
                        last = now;
                    } while (!written);
                    assertThat(last).isEqualTo(1 + rounds());
                    return null;
                }));
    }
}
