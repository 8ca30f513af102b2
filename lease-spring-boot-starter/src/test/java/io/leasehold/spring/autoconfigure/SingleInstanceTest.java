package io.leasehold.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.memory.MemoryStateStore;
import io.leasehold.spring.LeaderLifecycle;
import io.leasehold.spring.LeaseListeners;
import io.leasehold.state.LeaderState;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseStoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class SingleInstanceTest {
    /** A lease that is contended for after it was not, is watched for a ttl before it is claimed. */
    private static final String[] SHORT = {
        "lease.name=orders", "lease.ttl=5s", "lease.renew-interval=150ms", "lease.drain-timeout=700ms",
    };

    @TempDir
    Path directory;

    @BeforeEach
    void waitLong() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    @AfterEach
    void waitAsUsual() {
        Awaitility.reset();
    }

    @Test
    void whereTheLeaseIsDisabledTheProcessIsActiveAtOnceWithTheSameBeans(CapturedOutput output) {
        disabled().run(context -> {
            assertThat(context)
                    .hasSingleBean(LeaderLease.class)
                    .hasSingleBean(LeaseListeners.class)
                    .hasSingleBean(LeaderLifecycle.class)
                    .hasSingleBean(LeaderState.class);
            await().until(context.getBean(LeaderLease.class)::isHeld);
        });
        assertThat(output).containsOnlyOnce("lease.enabled is false");
    }

    @Test
    void withoutADirectoryTheStateIsInMemoryAndThatIsSaid(CapturedOutput output) {
        disabled().run(context -> {
            await().until(context.getBean(LeaderLease.class)::isHeld);
            context.getBean(LeaderState.class).commit("a", "1");
            assertThat(context.getBean(StateStore.class)).isInstanceOf(MemoryStateStore.class);
        });
        assertThat(output).containsOnlyOnce("kept in memory and lost with this process");
    }

    @Test
    void theStateGoesOnWhenTheLeaseIsDisabledAndEnabledAgain() {
        AtomicLong epoch = new AtomicLong();
        commit(enabled(), "none", "1", epoch);
        commit(disabled().withPropertyValues(path()), "1", "2", epoch);
        commit(disabled().withPropertyValues(path()), "2", "3", epoch);
        commit(enabled(), "3", "4", epoch);
        assertThat(epoch).hasValue(4);
    }

    @Test
    void aLeaseThatWasFirstDisabledCanBeEnabled() {
        AtomicLong epoch = new AtomicLong();
        commit(disabled().withPropertyValues(path()), "none", "1", epoch);
        commit(enabled(), "1", "2", epoch);
    }

    @Test
    void aStateOfItsOwnGoesOnWithoutADirectoryForTheLease() {
        AtomicLong epoch = new AtomicLong();
        String state = "lease.state.path=" + directory.resolve("state");
        commit(disabled().withPropertyValues(state), "none", "1", epoch);
        commit(disabled().withPropertyValues(state), "1", "2", epoch);
    }

    @Test
    void nobodyIsWaitedForWhereTheLeaseIsDisabled() {
        enabled().run(holder -> {
            await().until(holder.getBean(LeaderLease.class)::isHeld);
            disabled().withPropertyValues(path()).run(context -> {
                LeaderLease lease = context.getBean(LeaderLease.class);
                await().until(lease::isHeld);
                assertThat(lease.requireEpoch()).isEqualTo(2);
            });
        });
    }

    /** A lease that is behind its state is otherwise watched for a ttl, which is longer than this test waits. */
    @Test
    void aLeaseBehindItsStateIsNotWaitedFor() {
        for (int epoch = 1; epoch <= 3; epoch++) {
            long expected = epoch;
            disabled().withPropertyValues(path(), "lease.ttl=300s").run(context -> {
                LeaderLease lease = context.getBean(LeaderLease.class);
                await().until(lease::isHeld);
                assertThat(lease.requireEpoch()).isEqualTo(expected);
            });
        }
    }

    @Test
    void noIsWrittenInSeveralWays() {
        for (String no : List.of("off", "no", "0", "FALSE")) {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class))
                    .withPropertyValues("lease.name=orders", "lease.enabled=" + no)
                    .run(context -> assertThat(context).hasSingleBean(LeaderState.class));
        }
    }

    @Test
    void aTermThatIsOverIsFreeAtOnce() throws LeaseStoreException {
        SingleInstanceStore store = new SingleInstanceStore(new MemoryLeaseStore(), null);
        Instant over = Instant.now().minusSeconds(1);
        store.replace(store.read(), new LeaseRecord("a", "c", 7, 1, Duration.ofSeconds(30), over, false));

        assertThat(store.read().epoch()).isEqualTo(7);
        assertThat(Objects.requireNonNull(store.read().record()).released()).isTrue();
    }

    @Test
    void afterAStepDownItIsActiveAgain() {
        disabled().run(context -> {
            LeaderLease lease = context.getBean(LeaderLease.class);
            await().until(lease::isHeld);
            lease.stepDown();
            await().until(() -> lease.isHeld() && lease.requireEpoch() == 2);
        });
    }

    private void commit(ApplicationContextRunner runner, String before, String after, AtomicLong lastEpoch) {
        runner.run(context -> {
            LeaderLease lease = context.getBean(LeaderLease.class);
            await().until(lease::isHeld);
            LeaderState state = context.getBean(LeaderState.class);
            assertThat(state.get("a").orElse("none")).isEqualTo(before);
            state.commit("a", after);
            assertThat(lease.requireEpoch()).isGreaterThan(lastEpoch.getAndSet(lease.requireEpoch()));
        });
    }

    private String path() {
        return "lease.file.path=" + directory.resolve("lease");
    }

    private ApplicationContextRunner enabled() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class))
                .withPropertyValues(SHORT)
                .withPropertyValues(path());
    }

    private static ApplicationContextRunner disabled() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class))
                .withPropertyValues(SHORT)
                .withPropertyValues("lease.enabled=false");
    }
}
