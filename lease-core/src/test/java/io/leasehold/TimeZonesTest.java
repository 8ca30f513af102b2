package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jdbc.JdbcLeaseStore;
import io.leasehold.jdbc.JdbcStoreOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.TimeZone;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes in two time zones and a database session in a third, in the hour that a zone's clocks show twice. */
class TimeZonesTest {
    private static final Instant BEFORE_THE_CLOCKS_GO_BACK = Instant.parse("2026-10-25T00:59:30Z");
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TimeZone before = TimeZone.getDefault();
    private final ManualClock clock = new ManualClock();
    private final LeaseSettings settings =
            LeaseSettings.builder("orders").ttl(TTL).build();
    private final JdbcDataSource database = new JdbcDataSource();

    @BeforeEach
    void begin() {
        clock.advance(Duration.between(Instant.ofEpochMilli(clock.currentTimeMillis()), BEFORE_THE_CLOCKS_GO_BACK));
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;INIT=SET TIME ZONE '-9:00'\\;"
                + "RUNSCRIPT FROM 'classpath:io/leasehold/jdbc/schema-h2.sql'");
    }

    @AfterEach
    void end() {
        TimeZone.setDefault(before);
    }

    /** A process whose default time zone is its own. */
    private final class ZonedProcess implements AutoCloseable {
        private final TimeZone zone;
        private final JdbcLeaseStore store = JdbcLeaseStore.open(database, "orders", JdbcStoreOptions.DEFAULTS);
        private final Contender contender;

        ZonedProcess(String holder, String zone) {
            this.zone = TimeZone.getTimeZone(zone);
            this.contender = new Contender(holder, settings, store, null, clock);
        }

        /** Does what is due now; returns whether the lease is held. */
        boolean leads() {
            TimeZone.setDefault(zone);
            contender.settle();
            return contender.isHeld();
        }

        @Override
        public void close() {
            store.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"Europe/Berlin, UTC", "UTC, Europe/Berlin"})
    void aTakeoverIsNeitherEarlyNorLateInTheHourThatComesTwice(String leadersZone, String standbysZone) {
        try (ZonedProcess leader = new ZonedProcess("leader", leadersZone);
                ZonedProcess standby = new ZonedProcess("standby", standbysZone)) {
            assertThat(leader.leads()).isTrue();
            for (int second = 0; second < 2 * TTL.toSeconds(); second++) {
                clock.advance(SECOND);
                assertThat(leader.leads() && !standby.leads()).isTrue();
            }
            long lastConfirmedMs = leader.contender.lease().lastConfirmed().wallMs();
            while (!standby.leads()) {
                clock.advance(SECOND);
            }
            assertThat(Duration.ofMillis(clock.currentTimeMillis() - lastConfirmedMs))
                    .isBetween(TTL, TTL.plus(settings.renewInterval()));
            assertThat(standby.contender.lease().epoch()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"Europe/Berlin, UTC", "UTC, Europe/Berlin"})
    void aNewProcessTakesALeaseAtOnceOnlyIfItExpiredLongAgo(String leadersZone, String newZone) {
        try (ZonedProcess leader = new ZonedProcess("leader", leadersZone);
                ZonedProcess early = new ZonedProcess("early", newZone);
                ZonedProcess late = new ZonedProcess("late", newZone)) {
            assertThat(leader.leads()).isTrue();
            for (int second = 0; second < 2 * TTL.toSeconds(); second++) {
                clock.advance(SECOND);
                assertThat(leader.leads()).isTrue();
            }
            assertThat(early.leads()).isFalse();
            clock.advance(TTL.plus(settings.maxClockSkew()).plus(SECOND));
            assertThat(late.leads()).isTrue();
        }
    }
}
