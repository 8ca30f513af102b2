package io.leasehold.kubernetes;

import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.leasehold.LeaderLease;
import io.leasehold.LeaseSettings;
import io.leasehold.faults.FaultProxy;
import io.leasehold.kubernetes.MockApiServer.Fault;
import io.leasehold.kubernetes.MockApiServer.Request;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.io.Closeable;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notices of a changed Lease, and how long a hand-over takes with and without them. */
@Tag("servers")
class KubernetesWatchTest {
    private static final Logger LOG = LoggerFactory.getLogger(KubernetesWatchTest.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static MockApiServer api;

    private final String name = MockApiServer.newName();
    private final AtomicInteger notices = new AtomicInteger();

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
        api.faultsOver();
        api.closeStores();
    }

    private static boolean watches(Request request) {
        return request.path().contains("watch=");
    }

    private static void awaitNotice(AtomicInteger notices, int before) {
        await().atMost(PATIENCE).until(() -> notices.get() > before);
    }

    private static LeaseRecord write(KubernetesLeaseStore store, LeaseRecord record) throws LeaseStoreException {
        assertThat(store.replace(store.read(), record)).isEqualTo(WriteOutcome.CONFIRMED);
        return record;
    }

    @Test
    void everyWriteOfOthersIsToldUntilTheWatchIsClosed() throws Exception {
        KubernetesLeaseStore holder = api.lease(name);
        LeaseRecord record = write(holder, claim("a", 1));
        Closeable watch = api.lease(name).watch(notices::incrementAndGet);
        awaitNotice(notices, 0);
        for (int i = 0; i < 3; i++) {
            int before = notices.get();
            record = write(holder, renewed(record));
            awaitNotice(notices, before);
        }
        watch.close();
        int before = notices.get();
        write(holder, renewed(record));
        await().during(Duration.ofMillis(300)).atMost(PATIENCE).until(() -> notices.get() == before);
    }

    @Test
    void aLeaseThatIsCreatedLaterAndDeletedIsToldToo() throws Exception {
        Closeable watch = api.lease(name).watch(notices::incrementAndGet);
        KubernetesLeaseStore other = api.lease(name);
        write(other, claim("a", 1));
        awaitNotice(notices, 0);
        int before = notices.get();
        api.client().leases().withName(name).delete();
        awaitNotice(notices, before);
        watch.close();
    }

    @Test
    void otherLeasesAreNotWatched() throws Exception {
        Closeable watch = api.lease(name).watch(notices::incrementAndGet);
        await().atMost(PATIENCE)
                .until(() -> api.requests("GET").stream()
                        .anyMatch(request -> watches(request) && request.path().contains(name)));
        write(api.lease(MockApiServer.newName()), claim("a", 1));
        await().during(Duration.ofMillis(300)).atMost(PATIENCE).until(() -> notices.get() == 0);
        watch.close();
    }

    @Test
    void aWatchThatFindsNoServerDoesNotThrowAndComesBackWithIt() throws Exception {
        try (FaultProxy proxy = new FaultProxy(api.client().getMasterUrl().getPort());
                KubernetesClient application = applicationBy(proxy);
                KubernetesApi reached = KubernetesApi.of(application, KubernetesStoreOptions.DEFAULTS)) {
            KubernetesLeaseStore store = new KubernetesLeaseStore(reached, name);
            proxy.down();
            Closeable watch = store.watch(notices::incrementAndGet);
            proxy.up();
            LeaseRecord record = write(api.lease(name), claim("a", 1));
            awaitNotice(notices, 0);
            proxy.down();
            proxy.up();
            int before = notices.get();
            write(api.lease(name), renewed(record));
            awaitNotice(notices, before);
            watch.close();
        }
    }

    @Test
    void aWatchWhoseBeginningTheServerForgotBeginsAnew() throws Exception {
        LeaseRecord record = write(api.lease(name), claim("a", 1));
        AtomicInteger refusals = new AtomicInteger();
        Fault gone = MockApiServer.status(410, "too old resource version");
        api.fault(
                KubernetesWatchTest::watches,
                (request, usual) ->
                        refusals.getAndIncrement() == 0 ? gone.answer(request, usual) : usual.answer(request));
        Closeable watch = api.lease(name).watch(notices::incrementAndGet);
        await().atMost(PATIENCE).until(() -> refusals.get() > 1);
        int before = notices.get();
        write(api.lease(name), renewed(record));
        awaitNotice(notices, before);
        watch.close();
    }

    @Test
    void closingTheClientEndsItsThreadsEvenWhileAWatchIsTriedAgain() throws Exception {
        KubernetesLeaseStore before = api.lease(name);
        before.read();
        api.fault(KubernetesWatchTest::watches, MockApiServer.status(403, "not allowed"));
        Set<Thread> others = Thread.getAllStackTraces().keySet();
        KubernetesApi reached = KubernetesApi.of(api.client(), KubernetesStoreOptions.DEFAULTS);
        Closeable watch = new KubernetesLeaseStore(reached, name).watch(notices::incrementAndGet);
        await().atMost(PATIENCE).until(() -> api.requests("GET").stream().anyMatch(KubernetesWatchTest::watches));
        reached.close();
        watch.close();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> !others.contains(thread)
                                        && thread.getName().startsWith("vert.x"))
                                .collect(Collectors.toSet()))
                        .isEmpty());
    }

    @Test
    void aReleaseIsTakenOverLongBeforeTheStandbyWouldLook() throws Exception {
        Duration renewInterval = Duration.ofSeconds(40);
        assertThat(handOver(renewInterval)).isLessThan(renewInterval.dividedBy(2));
    }

    @Test
    void aStandbyWithoutNoticesLooksEveryRenewInterval() throws Exception {
        api.fault(request -> request.path().contains("fieldSelector="), MockApiServer.status(403, "not allowed"));
        Duration renewInterval = Duration.ofSeconds(2);
        assertThat(handOver(renewInterval)).isLessThan(renewInterval.multipliedBy(5));
    }

    private Duration handOver(Duration renewInterval) throws Exception {
        KubernetesLeaseStore stored = api.lease(name);
        try (LeaderLease first = contender(api.lease(name), renewInterval);
                LeaderLease second = contender(stored, renewInterval)) {
            first.start();
            await().atMost(PATIENCE).until(first::isHeld);
            long epoch = first.requireEpoch();
            second.start();
            await().atMost(PATIENCE).until(() -> second.status().epoch() == epoch);
            await().pollDelay(Duration.ofMillis(500)).until(() -> true);
            first.close();
            long begunNs = System.nanoTime();
            await().pollInterval(Duration.ofMillis(1)).atMost(PATIENCE).until(second::isHeld);
            Duration took = Duration.ofNanos(System.nanoTime() - begunNs);
            assertThat(second.requireEpoch()).isEqualTo(epoch + 1);
            LOG.info("A hand-over took {} ms", took.toMillis());
            return took;
        }
    }

    @Test
    void aHolderThatVanishedIsSucceededAfterItsTtl() throws Exception {
        try (FaultProxy proxy = new FaultProxy(api.client().getMasterUrl().getPort());
                KubernetesClient application = applicationBy(proxy);
                KubernetesApi cutOff = KubernetesApi.of(application, KubernetesStoreOptions.DEFAULTS);
                LeaderLease first = contender(new KubernetesLeaseStore(cutOff, name), Duration.ofMillis(500));
                LeaderLease second = contender(api.lease(name), Duration.ofMillis(500))) {
            first.start();
            await().atMost(PATIENCE).until(first::isHeld);
            second.start();
            await().atMost(PATIENCE)
                    .until(() -> second.status().epoch() == first.status().epoch());
            proxy.down();
            long begunNs = System.nanoTime();
            await().pollInterval(Duration.ofMillis(5)).atMost(PATIENCE).until(second::isHeld);
            Duration took = Duration.ofNanos(System.nanoTime() - begunNs);
            LOG.info("A takeover after a holder with a ttl of 3000 ms vanished took {} ms", took.toMillis());
            assertThat(first.isHeld()).isFalse();
            assertThat(took).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(10));
        }
    }

    private LeaderLease contender(KubernetesLeaseStore store, Duration renewInterval) {
        LeaseSettings settings = LeaseSettings.builder(name)
                .ttl(renewInterval.multipliedBy(6))
                .renewInterval(renewInterval)
                .drainTimeout(Duration.ZERO)
                .build();
        return new LeaderLease(settings, store, null);
    }

    private static KubernetesClient applicationBy(FaultProxy proxy) {
        Config config = new ConfigBuilder(api.client().getConfiguration())
                .withAutoConfigure(false)
                .withMasterUrl("http://localhost:" + proxy.port())
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }
}
