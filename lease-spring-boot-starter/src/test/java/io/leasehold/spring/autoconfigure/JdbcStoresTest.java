package io.leasehold.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.jdbc.JdbcLeaseStore;
import io.leasehold.jdbc.JdbcStateStore;
import io.leasehold.spring.autoconfigure.health.LeaseHealthAutoConfiguration;
import io.leasehold.state.LeaderState;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.UnsuitableStoreException;
import io.leasehold.store.WriteOutcome;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class JdbcStoresTest {
    private final String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    LeaseAutoConfiguration.class,
                    LeaseJdbcAutoConfiguration.class,
                    LeaseHealthAutoConfiguration.class))
            .withPropertyValues("lease.name=orders", "lease.store=jdbc");
    private final ApplicationContextRunner runner =
            bare.withPropertyValues("spring.datasource.url=" + database, "lease.jdbc.initialize-schema=always");

    /** Two, and what makes one of them the application's is up to each test. */
    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {
        static final String ORDERS = "jdbc:h2:mem:orders" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

        @Bean
        DataSource orders() {
            return new DriverManagerDataSource(ORDERS);
        }

        @Bean
        DataSource reports() {
            return new DriverManagerDataSource("jdbc:h2:mem:reports" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }
    }

    /** As applications make one that takes part in transactions by itself. */
    @Configuration(proxyBeanMethods = false)
    static class Proxied {

        @Bean
        @Primary
        DataSource proxy(DataSource plain) {
            return new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(plain));
        }

        @Bean
        DataSource plain() {
            return new DriverManagerDataSource("jdbc:h2:mem:proxied" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }
    }

    @Test
    void theOnlyDataSourceKeepsTheLeaseAndItsState() {
        runner.run(context -> {
            LeaderLease lease = context.getBean(LeaderLease.class);
            await().until(lease::isHeld);
            context.getBean(LeaderState.class).commit("orders", "17");
            JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
            assertThat(jdbc.queryForMap("select * from lease"))
                    .containsEntry("NAME", "orders")
                    .containsEntry("EPOCH", 1L);
            assertThat(jdbc.queryForObject("select entries from lease_state", String.class))
                    .isEqualTo("{\"orders\":\"17\"}");
        });
    }

    @Test
    void anotherStoreThanTheDatabaseIsLeftAlone() {
        bare.withPropertyValues("spring.datasource.url=" + database, "lease.store=file", "lease.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .getBean(LeaseStore.class)
                        .isNotInstanceOf(JdbcLeaseStore.class));
    }

    @Test
    void withoutADataSourceTheStartSaysWhatIsMissing() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(LeaseAutoConfiguration.class, LeaseJdbcAutoConfiguration.class))
                .withPropertyValues("lease.name=orders", "lease.store=jdbc")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("lease.store is 'jdbc'")
                        .hasMessageContaining("DataSource"));
    }

    @Test
    void ofSeveralDataSourcesOneHasToBeNamed() {
        ApplicationContextRunner two = bare.withUserConfiguration(TwoDataSources.class);
        two.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("orders")
                .hasMessageContaining("reports")
                .hasMessageContaining("lease.jdbc.data-source"));
        two.withPropertyValues("lease.jdbc.data-source=invoices")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("lease.jdbc.data-source is 'invoices'")
                        .hasStackTraceContaining("reports"));
        two.withPropertyValues("lease.jdbc.data-source=orders", "lease.jdbc.initialize-schema=embedded")
                .run(context -> {
                    await().until(context.getBean(LeaderLease.class)::isHeld);
                    assertThat(new JdbcTemplate(context.getBean("orders", DataSource.class))
                                    .queryForList("select name from lease"))
                            .hasSize(1);
                });
    }

    @Test
    void aTableThatIsMissingEndsTheStartWithTheScriptsName() {
        bare.withPropertyValues("spring.datasource.url=" + database).run(context -> {
            assertThat(context).getFailure().isInstanceOf(UnsuitableStoreException.class);
            FailureAnalysis analysis =
                    new UnsuitableStoreFailureAnalyzer().analyze(Objects.requireNonNull(context.getStartupFailure()));
            assertThat(Objects.requireNonNull(analysis).getDescription()).contains("jdbc:lease/orders");
            assertThat(analysis.getAction()).contains("schema-<database>.sql");
        });
    }

    @Test
    void aTableThatIsMissingEndsALazyStartToo() {
        bare.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withPropertyValues("spring.datasource.url=" + database)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(UnsuitableStoreException.class.getName()));
    }

    @Test
    void aPermissionThatIsMissingEndsTheStart() {
        runner.run(context -> new JdbcTemplate(context.getBean(DataSource.class))
                .execute("create user reader password 'secret'; grant select on lease to reader"));
        bare.withPropertyValues(
                        "spring.datasource.url=" + database.replace(";DB_CLOSE_DELAY=-1", ""),
                        "spring.datasource.username=reader",
                        "spring.datasource.password=secret")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(UnsuitableStoreException.class)
                        .hasMessageContaining("Grant it select, insert and update"));
    }

    /** Two that begin at once: PostgreSQL refuses the slower one though it says "if not exists", for each table anew. */
    @Test
    void replicasThatCreateTheTablesTogetherAllStart() {
        AtomicInteger refusals = new AtomicInteger(2);
        bare.withBean(DataSource.class, () -> new DelegatingDataSource(new DriverManagerDataSource(database)) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        Connection connection = super.getConnection();
                        return (Connection) Proxy.newProxyInstance(
                                Connection.class.getClassLoader(),
                                new Class<?>[] {Connection.class},
                                (proxy, method, arguments) -> {
                                    if (method.getName().equals("createStatement") && refusals.getAndDecrement() > 0) {
                                        throw new SQLException("pg_type_typname_nsp_index is violated", "23505");
                                    }
                                    return method.invoke(connection, arguments);
                                });
                    }
                })
                .withPropertyValues("lease.jdbc.initialize-schema=always")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(refusals).hasNegativeValue();
                    await().until(context.getBean(LeaderLease.class)::isHeld);
                });
    }

    @Test
    void callsAreBoundedHoweverLongTheTtlIs() {
        runner.withPropertyValues("lease.ttl=60d").run(context -> {
            await().until(context.getBean(LeaderLease.class)::isHeld);
            context.getBean(LeaderState.class).commit("a", "1");
        });
    }

    @Test
    void aTableThatIsNoPlainNameIsRefused() {
        runner.withPropertyValues("lease.jdbc.initialize-schema=never", "lease.jdbc.table=lease; drop table x")
                .run(context ->
                        assertThat(context).getFailure().rootCause().isInstanceOf(IllegalArgumentException.class));
    }

    @Test
    void theScriptIsRefusedForTablesOfOtherNames() {
        runner.withPropertyValues("lease.jdbc.table=my_lease")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("lease.jdbc.initialize-schema")
                        .hasStackTraceContaining("my_lease"));
    }

    @Test
    void aContextStartsWhileTheDatabaseIsDownAndLeadsOnceItIsUp() throws Exception {
        Server reserved =
                Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        int port = reserved.getPort();
        reserved.stop();
        AtomicReference<Server> server = new AtomicReference<>();
        String target = "mem:late" + UUID.randomUUID();
        bare.withPropertyValues(
                        "spring.datasource.url=jdbc:h2:tcp://localhost:" + port + "/" + target + ";DB_CLOSE_DELAY=-1",
                        "spring.datasource.username=sa",
                        "spring.datasource.hikari.connection-timeout=300",
                        "spring.datasource.hikari.initialization-fail-timeout=-1",
                        "lease.ttl=2s")
                .run(context -> {
                    HealthIndicator health = context.getBean("leaseHealthIndicator", HealthIndicator.class);
                    await().until(() -> Status.DOWN.equals(
                            Objects.requireNonNull(health.health()).getStatus()));
                    server.set(Server.createTcpServer("-tcpPort", String.valueOf(port), "-ifNotExists")
                            .start());
                    JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
                    LeaderLease lease = context.getBean(LeaderLease.class);
                    await().until(() ->
                            String.valueOf(lease.status().lastFailure()).contains("There is no table"));
                    createTables(jdbc);
                    await().atMost(Duration.ofSeconds(15)).until(lease::isHeld);
                    await().until(() -> Status.UP.equals(
                            Objects.requireNonNull(health.health()).getStatus()));
                });
        Objects.requireNonNull(server.get()).stop();
    }

    private static void createTables(JdbcTemplate jdbc) throws Exception {
        try (var script = Objects.requireNonNull(JdbcLeaseStore.class.getResourceAsStream("schema-h2.sql"))) {
            jdbc.execute(new String(script.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8));
        }
    }

    @Test
    void aCommitInsideOfATransactionOfTheApplicationIsItsOwn() {
        runner.run(context -> {
            await().until(context.getBean(LeaderLease.class)::isHeld);
            LeaderState state = context.getBean(LeaderState.class);
            rolledBack(context.getBean(PlatformTransactionManager.class), () -> state.commit("orders", "17"));
            assertThat(context.getBean(StateStore.class).snapshot()).isEqualTo(Map.of("orders", "17"));
        });
    }

    @Test
    void aCallInsideOfATransactionOfAProxyIsItsOwnAndEndsNoneOfTheApplication() {
        bare.withUserConfiguration(Proxied.class)
                .withPropertyValues("lease.jdbc.initialize-schema=always", "lease.enabled=false")
                .run(context -> {
                    JdbcTemplate jdbc = new JdbcTemplate(context.getBean("proxy", DataSource.class));
                    jdbc.execute("create table work (id int)");
                    JdbcStateStore states = (JdbcStateStore) context.getBean(StateStore.class);
                    LeaseStore leases = context.getBean(LeaseStore.class);
                    LeaseRecord claim = new LeaseRecord(
                            "holder",
                            "claim",
                            7,
                            0,
                            Duration.ofSeconds(6),
                            Instant.parse("2026-01-01T00:00:00Z"),
                            false);
                    LeaseRecord renewed =
                            claim.renewed(1, claim.ttl(), claim.expiresAt().plusSeconds(1));
                    rolledBack(context.getBean(PlatformTransactionManager.class), () -> {
                        jdbc.update("insert into work values (1)");
                        states.open(7, "holder", leases.location()).write(Map.of("orders", "17"));
                        assertThat(leases.replace(leases.read(), claim)).isEqualTo(WriteOutcome.CONFIRMED);
                        assertThat(leases.replace(leases.read(), renewed)).isEqualTo(WriteOutcome.CONFIRMED);
                    });
                    assertThat(states.snapshot()).isEqualTo(Map.of("orders", "17"));
                    assertThat(leases.read().record()).isEqualTo(renewed);
                    rolledBack(
                            context.getBean(PlatformTransactionManager.class),
                            () -> assertThat(leases.replace(leases.read(), renewed.released(2)))
                                    .isEqualTo(WriteOutcome.CONFIRMED));
                    assertThat(leases.read().record()).isEqualTo(renewed.released(2));
                    assertThat(jdbc.queryForList("select * from work")).isEmpty();
                });
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void rolledBack(PlatformTransactionManager transactions, Work work) {
        assertThatThrownBy(() -> new TransactionTemplate(transactions).executeWithoutResult(status -> {
                    try {
                        work.run();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
    }
}
