package io.leasehold.store;

import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Race;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every lease store promises to contenders that act at the same time. Each back end runs it. */
public abstract class LeaseStoreRaceContract {
    private static final int CONTENDERS = 4;

    private final Race race = new Race();

    /** Another process's handle on the one lease of a test, which nobody has held before. */
    protected abstract LeaseStore newHandle() throws Exception;

    /** How often contenders race; fewer where a store is slow. */
    protected int rounds() {
        return 200;
    }

    @AfterEach
    void endRace() throws Exception {
        race.end();
    }

    @Test
    void exactlyOneOfManyRacingClaimsIsConfirmed() throws Exception {
        List<LeaseStore> stores = new ArrayList<>();
        for (int i = 0; i < CONTENDERS; i++) {
            stores.add(newHandle());
        }
        stores.get(0).initialize();
        for (long epoch = 1; epoch <= rounds(); epoch++) {
            LeaseSnapshot observed = stores.get(0).read();
            List<Callable<WriteOutcome>> claims = new ArrayList<>();
            for (int i = 0; i < CONTENDERS; i++) {
                LeaseStore store = stores.get(i);
                LeaseRecord record = claim("contender-" + i, epoch);
                claims.add(() -> store.replace(observed, record));
            }
            List<WriteOutcome> outcomes = race.run(claims);
            assertThat(outcomes).containsOnlyOnce(WriteOutcome.CONFIRMED);
            LeaseRecord winner = Objects.requireNonNull(stores.get(0).read().record());
            assertThat(winner.epoch()).isEqualTo(epoch);
            assertThat(winner.holder()).isEqualTo("contender-" + outcomes.indexOf(WriteOutcome.CONFIRMED));
        }
    }

    @Test
    void aClaimAndARenewOfItsPredecessorAreNeverBothConfirmed() throws Exception {
        LeaseStore holder = newHandle();
        LeaseStore standby = newHandle();
        holder.initialize();
        for (long epoch = 1; epoch < 2L * rounds(); epoch += 2) {
            LeaseRecord held = claim("holder", epoch);
            assertThat(holder.replace(holder.read(), held)).isEqualTo(WriteOutcome.CONFIRMED);
            LeaseSnapshot observed = standby.read();
            LeaseRecord next = claim("standby", epoch + 1);
            List<WriteOutcome> outcomes = race.run(
                    List.of(() -> holder.replace(observed, renewed(held)), () -> standby.replace(observed, next)));
            assertThat(outcomes).isNotEqualTo(List.of(WriteOutcome.CONFIRMED, WriteOutcome.CONFIRMED));
        }
    }

    @Test
    void initializingAtOnceGivesOneId() throws Exception {
        List<Callable<String>> tasks = new ArrayList<>();
        for (int i = 0; i < CONTENDERS; i++) {
            LeaseStore store = newHandle();
            tasks.add(() -> {
                store.initialize();
                return Objects.requireNonNull(store.read().leaseId());
            });
        }
        assertThat(new HashSet<>(race.run(tasks))).hasSize(1);
    }

    @Test
    void aReaderSeesEveryRecordWhole() throws Exception {
        LeaseStore holder = newHandle();
        LeaseStore standby = newHandle();
        holder.initialize();
        LeaseRecord first = claim("holder", 1);
        assertThat(holder.replace(holder.read(), first)).isEqualTo(WriteOutcome.CONFIRMED);
        LeaseSnapshot own = holder.read();
        AtomicBoolean done = new AtomicBoolean();
        race.run(List.<Callable<Void>>of(
                () -> {
                    try {
                        LeaseRecord record = first;
                        for (int i = 0; i < rounds(); i++) {
                            record = renewed(record);
                            assertThat(holder.replace(own, record)).isEqualTo(WriteOutcome.CONFIRMED);
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
                        LeaseRecord record =
                                Objects.requireNonNull(standby.read().record());
                        assertThat(record.sequence()).isGreaterThanOrEqualTo(last);
                        last = record.sequence();
                    } while (!written);
                    assertThat(last).isEqualTo(rounds());
                    return null;
                }));
    }
}
