package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.leasehold.kubernetes.MockApiServer;
import io.leasehold.memory.MemoryStateStore;
import io.leasehold.state.StateStore;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a contender makes of a Lease that another election, or a person, writes to. */
@Tag("servers")
class OtherElectionsTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration RENEW = Duration.ofSeconds(2);
    private static final int THEIR_DURATION_S = 15;
    private static MockApiServer api;

    private final String name = MockApiServer.newName();
    private final ManualClock clock = new ManualClock();

    @BeforeAll
    static void startServer() {
        api = new MockApiServer();
    }

    @AfterAll
    static void stopServer() throws Exception {
        api.close();
    }

    @AfterEach
    void closeStores() throws Exception {
        api.closeStores();
    }

    private Contender contender(String holder, @Nullable StateStore state) {
        LeaseSettings settings = LeaseSettings.builder(name)
                .ttl(TTL)
                .renewInterval(RENEW)
                .drainTimeout(Duration.ZERO)
                .build();
        return new Contender(holder, settings, api.lease(name), state, clock);
    }

    private ZonedDateTime now() {
        return Instant.ofEpochMilli(clock.currentTimeMillis()).atZone(ZoneOffset.UTC);
    }

    private void othersHold(@Nullable String holder, int transitions, int seconds) {
        Lease lease = new LeaseBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(holder)
                .withLeaseTransitions(transitions)
                .withLeaseDurationSeconds(seconds)
                .withAcquireTime(now())
                .withRenewTime(now())
                .endSpec()
                .build();
        api.client().leases().resource(lease).create();
    }

    private void edit(UnaryOperator<LeaseSpec> change) {
        api.client().leases().withName(name).edit(lease -> {
            lease.setSpec(change.apply(lease.getSpec()));
            return lease;
        });
    }

    private LeaseSpec spec() {
        return api.client().leases().withName(name).get().getSpec();
    }

    @Test
    void aHolderOfAnotherElectionIsLeftAloneWhileItRenews() {
        othersHold("pod-1_3f2a", 4, THEIR_DURATION_S);
        Contender ours = contender("a", null);
        for (int renew = 0; renew < 20; renew++) {
            ours.pass(Duration.ofSeconds(THEIR_DURATION_S - 1));
            assertThat(ours.isHeld()).isFalse();
            edit(spec -> {
                spec.setRenewTime(now());
                return spec;
            });
        }
    }

    @Test
    void aHolderOfAnotherElectionIsSucceededAfterTheDurationThatItNames() {
        othersHold("pod-1_3f2a", 4, THEIR_DURATION_S);
        Contender ours = contender("a", null);
        ours.pass(Duration.ofSeconds(THEIR_DURATION_S).minusMillis(1));
        assertThat(ours.isHeld()).isFalse();
        ours.pass(RENEW);
        assertThat(ours.isHeld()).isTrue();
        assertThat(ours.lease().epoch()).isEqualTo(5);
        assertThat(spec().getLeaseDurationSeconds()).isEqualTo(THEIR_DURATION_S);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void aLeaseThatAnotherElectionReleasedIsTakenAtOnce(String holder) {
        othersHold(holder, 5, 1);
        Contender ours = contender("a", null);
        ours.settle();
        assertThat(ours.isHeld()).isTrue();
        assertThat(ours.lease().epoch()).isEqualTo(6);
        assertThat(ours.calls).containsExactly("acquired 6");
    }

    @Test
    void aLeaseWhoseHolderIsMissingIsNotTakenForReleased() {
        othersHold(null, 5, THEIR_DURATION_S);
        Contender ours = contender("a", null);
        ours.settle();
        assertThat(ours.isHeld()).isFalse();
        clock.advance(Duration.ofSeconds(THEIR_DURATION_S));
        ours.settle();
        assertThat(ours.isHeld()).isTrue();
    }

    @Test
    void aLeaseThatWeReleasedNamesNobodyAndAnotherElectionMayTakeIt() {
        Contender ours = contender("a", null);
        ours.settle();
        ours.election.close();
        ours.settle();
        assertThat(spec().getHolderIdentity()).isEmpty();
        edit(spec -> {
            spec.setHolderIdentity("pod-1_3f2a");
            spec.setLeaseTransitions(2);
            spec.setRenewTime(now());
            return spec;
        });
        Contender next = contender("b", null);
        next.pass(TTL.minusMillis(1));
        assertThat(next.isHeld()).isFalse();
    }

    @Test
    void aHolderWhomAnotherElectionSucceededSurrendersAndWritesNothing() {
        Contender ours = contender("a", null);
        ours.settle();
        edit(spec -> {
            spec.setHolderIdentity("pod-1_3f2a");
            spec.setLeaseTransitions(2);
            spec.setRenewTime(now().plusSeconds(1));
            return spec;
        });
        ours.pass(RENEW);
        assertThat(ours.isHeld()).isFalse();
        assertThat(ours.calls).containsExactly("acquired 1", "surrendered 1 SUPERSEDED");
        assertThat(spec().getHolderIdentity()).isEqualTo("pod-1_3f2a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"holder", "duration", "transitions", "renewed", "all", "spec"})
    void whateverSomebodyClearsNobodyElseLeadsAtOnceAndTheHolderWritesItAnew(String what) {
        StateStore state = new MemoryStateStore();
        Contender holder = contender("a", state);
        holder.settle();
        edit(spec -> cleared(spec, what));
        Contender fresh = contender("b", state);
        fresh.settle();
        assertThat(fresh.isHeld()).isFalse();
        for (int renew = 0; renew < 10; renew++) {
            holder.pass(RENEW);
            fresh.settle();
        }
        assertThat(holder.isHeld()).isTrue();
        assertThat(fresh.isHeld()).isFalse();
        assertThat(spec().getHolderIdentity()).isEqualTo("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"duration", "transitions", "renewed", "all", "spec"})
    void whateverSomebodyClearsAfterTheHolderDiedItIsSucceededAfterATtlWithAHigherEpoch(String what) {
        StateStore state = new MemoryStateStore();
        contender("a", state).settle();
        edit(spec -> cleared(spec, what));
        Contender fresh = contender("b", state);
        fresh.pass(TTL.minusMillis(1));
        assertThat(fresh.isHeld()).isFalse();
        fresh.pass(Duration.ofSeconds(40));
        assertThat(fresh.isHeld()).isTrue();
        assertThat(fresh.lease().epoch()).isEqualTo(2);
    }

    private static @Nullable LeaseSpec cleared(LeaseSpec spec, String what) {
        switch (what) {
            case "holder" -> spec.setHolderIdentity(null);
            case "duration" -> spec.setLeaseDurationSeconds(null);
            case "transitions" -> spec.setLeaseTransitions(null);
            case "renewed" -> spec.setRenewTime(null);
            case "all" -> {
                return new LeaseSpec();
            }
            default -> {
                return null;
            }
        }
        return spec;
    }

    @Test
    void anEmptyLeaseThatWasMadeBeforehandIsTakenAfterATtl() {
        api.client()
                .leases()
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        Contender ours = contender("a", null);
        ours.pass(TTL.minusMillis(1));
        assertThat(ours.isHeld()).isFalse();
        ours.pass(RENEW);
        assertThat(ours.isHeld()).isTrue();
    }

    @Test
    void aLeaseThatDiedAnHourAgoCostsAFreshProcessNoWait() {
        othersHold("pod-1_3f2a", 4, THEIR_DURATION_S);
        clock.advance(Duration.ofHours(1));
        Contender ours = contender("a", null);
        ours.settle();
        assertThat(ours.isHeld()).isTrue();
        assertThat(ours.lease().epoch()).isEqualTo(5);
    }

    @Test
    void aLeaseThatIsDeletedAndRecreatedKeepsItsHolderAndItsEpochsRise() {
        StateStore state = new MemoryStateStore();
        state.open(8, "before", api.lease(name).location());
        Contender a = contender("a", state);
        Contender b = contender("b", state);
        a.pass(TTL);
        assertThat(a.lease().epoch()).isEqualTo(9);
        a.lease().state().commit("orders", "1");
        b.settle();
        api.client().leases().withName(name).delete();
        for (int renew = 0; renew < 3; renew++) {
            a.pass(RENEW);
            b.settle();
            assertThat(a.isHeld()).isTrue();
            assertThat(b.isHeld()).isFalse();
        }
        assertThat(spec().getLeaseTransitions()).isEqualTo(9);
        api.client().leases().withName(name).delete();
        b.pass(TTL.multipliedBy(2));
        assertThat(b.isHeld()).isTrue();
        assertThat(b.lease().epoch()).isEqualTo(10);
        a.settle();
        assertThat(a.isHeld()).isFalse();
        b.lease().state().commit("orders", "2");
        assertThat(state.snapshot()).isEqualTo(Map.of("orders", "2"));
    }
}
