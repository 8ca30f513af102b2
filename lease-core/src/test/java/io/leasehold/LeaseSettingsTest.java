package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseSettingsTest {

    /** One of the durations, by its name in messages. */
    private enum Setting {
        TTL("ttl"),
        RENEW_INTERVAL("renew-interval"),
        DRAIN_TIMEOUT("drain-timeout"),
        VERIFY_DELAY("verify-delay"),
        MAX_CLOCK_SKEW("max-clock-skew");

        private final String text;

        Setting(String text) {
            this.text = text;
        }

        LeaseSettings build(Duration value) {
            LeaseSettings.Builder builder = LeaseSettings.builder("orders");
            return switch (this) {
                case TTL -> builder.ttl(value).build();
                case RENEW_INTERVAL -> builder.renewInterval(value).build();
                case DRAIN_TIMEOUT -> builder.drainTimeout(value).build();
                case VERIFY_DELAY -> builder.verifyDelay(value).build();
                case MAX_CLOCK_SKEW -> builder.maxClockSkew(value).build();
            };
        }

        boolean mayBeZero() {
            return this == DRAIN_TIMEOUT || this == MAX_CLOCK_SKEW;
        }
    }

    private static LeaseSettings withTtl(Duration ttl) {
        return LeaseSettings.builder("orders").ttl(ttl).build();
    }

    @Test
    void everythingFollowsFromAnUnsaidTtlOfThirtySeconds() {
        LeaseSettings settings = LeaseSettings.builder("orders").build();
        assertThat(settings.name()).isEqualTo("orders");
        assertThat(settings.holderPrefix())
                .endsWith("-" + ProcessHandle.current().pid());
        assertThat(settings.ttl()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.renewInterval()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.drainTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.verifyDelay()).isEqualTo(Duration.ofMillis(500));
        assertThat(settings.maxClockSkew()).isEqualTo(Duration.ofSeconds(60));
        assertThat(settings.margin()).isEqualTo(Duration.ofMillis(600));
    }

    @Test
    void theVerifyDelayIsATenthOfTheRenewIntervalWithinItsBounds() {
        assertThat(withTtl(Duration.ofSeconds(6)).verifyDelay()).isEqualTo(Duration.ofMillis(100));
        assertThat(withTtl(Duration.ofSeconds(1)).verifyDelay()).isEqualTo(Duration.ofMillis(50));
        assertThat(withTtl(Duration.ofMinutes(10)).verifyDelay()).isEqualTo(Duration.ofSeconds(1));
        assertThat(withTtl(Duration.ofMillis(240)).verifyDelay()).isEqualTo(Duration.ofMillis(40));
    }

    @Test
    void theMarginIsAFiftiethOfTheTtlAndAtLeastTwentyMilliseconds() {
        assertThat(withTtl(Duration.ofSeconds(10)).margin()).isEqualTo(Duration.ofMillis(200));
        assertThat(withTtl(Duration.ofMillis(500)).margin()).isEqualTo(Duration.ofMillis(20));
    }

    @Test
    void aTtlOfAFewHundredMillisecondsIsAllowed() {
        LeaseSettings settings = withTtl(Duration.ofMillis(120));
        assertThat(settings.renewInterval()).isEqualTo(Duration.ofMillis(20));
        assertThat(settings.drainTimeout()).isEqualTo(Duration.ofMillis(40));
        assertThat(settings.verifyDelay()).isEqualTo(Duration.ofMillis(20));
    }

    @Test
    void aNullMeansTheDefault() {
        LeaseSettings settings = LeaseSettings.builder("orders")
                .holderPrefix(null)
                .ttl(null)
                .renewInterval(null)
                .drainTimeout(null)
                .verifyDelay(null)
                .maxClockSkew(null)
                .build();
        assertThat(settings).isEqualTo(LeaseSettings.builder("orders").build());
    }

    static Stream<Arguments> refusedDurations() {
        List<Duration> values = List.of(
                Duration.ZERO,
                Duration.ofSeconds(-1),
                Duration.ofNanos(-1),
                Duration.ofNanos(1),
                Duration.ofNanos(999_999),
                Duration.ofDays(365).plusNanos(1),
                Duration.ofDays(1_000_000_000),
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofSeconds(Long.MIN_VALUE, 999_999_999));
        return Stream.of(Setting.values())
                .flatMap(setting -> values.stream()
                        .filter(value -> !(value.isZero() && setting.mayBeZero()))
                        .map(value -> Arguments.of(setting, value)));
    }

    @ParameterizedTest
    @MethodSource("refusedDurations")
    void aDurationOutOfRangeIsRefusedWithItsNameAndValueAndRule(Setting setting, Duration value) {
        assertThatThrownBy(() -> setting.build(value))
                .isInstanceOfSatisfying(InvalidSettingException.class, e -> {
                    assertThat(e.setting()).isEqualTo(setting.text);
                    assertThat(e.action()).contains("with its unit");
                })
                .hasMessageStartingWith(setting.text + " is " + value + ": ")
                .hasMessageMatching(".*(between PT.* and 365 days|below a millisecond).*");
    }

    @ParameterizedTest
    @MethodSource("refusedDurations")
    void noDurationOverflowsTheRecordsOwnChecks(Setting setting, Duration value) {
        Duration fine = Duration.ofSeconds(1);
        Throwable refusal = catchThrowable(() -> new LeaseSettings(
                "orders",
                "host",
                setting == Setting.TTL ? value : Duration.ofSeconds(30),
                setting == Setting.RENEW_INTERVAL ? value : fine,
                setting == Setting.DRAIN_TIMEOUT ? value : fine,
                setting == Setting.VERIFY_DELAY ? value : fine,
                setting == Setting.MAX_CLOCK_SKEW ? value : fine));
        assertThat(refusal)
                .isInstanceOfSatisfying(
                        InvalidSettingException.class,
                        e -> assertThat(e.setting()).isEqualTo(setting.text));
    }

    @Test
    void zeroMeansNoDrainAndNoSkew() {
        assertThat(Setting.DRAIN_TIMEOUT.build(Duration.ZERO).drainTimeout()).isZero();
        assertThat(Setting.MAX_CLOCK_SKEW.build(Duration.ZERO).maxClockSkew()).isZero();
    }

    @Test
    void aYearIsTheLongestDuration() {
        assertThat(withTtl(Duration.ofDays(365)).ttl()).isEqualTo(Duration.ofDays(365));
        assertThat(Setting.MAX_CLOCK_SKEW.build(Duration.ofDays(365)).maxClockSkew())
                .isEqualTo(Duration.ofDays(365));
    }

    @ParameterizedTest
    @ValueSource(longs = {30_000, 40_000, 15_000, 9_701})
    void aRenewIntervalThatDoesNotFitTwiceBeforeTheDrainPointIsRefused(long renewMs) {
        Duration renew = Duration.ofMillis(renewMs);
        assertThatThrownBy(() -> Setting.RENEW_INTERVAL.build(renew))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith("renew-interval is " + renew + ": two renew intervals do not fit")
                .hasMessageContaining("PT19.4S later (ttl PT30S less the margin PT0.6S and the drain timeout PT10S)")
                .hasMessageEndingWith("Shorten the renew interval or the drain timeout, or lengthen the ttl.");
    }

    @Test
    void aRenewIntervalThatJustFitsTwiceBeforeTheDrainPointIsAllowed() {
        assertThat(Setting.RENEW_INTERVAL.build(Duration.ofMillis(9_700)).renewInterval())
                .isEqualTo(Duration.ofMillis(9_700));
    }

    @ParameterizedTest
    @ValueSource(longs = {19_401, 30_000, 60_000})
    void aDrainTimeoutThatLeavesNoRoomForTwoRenewIntervalsIsRefused(long drainMs) {
        assertThatThrownBy(() -> Setting.DRAIN_TIMEOUT.build(Duration.ofMillis(drainMs)))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("two renew intervals do not fit");
    }

    @Test
    void aVerifyDelayLongerThanTheRenewIntervalIsRefused() {
        assertThat(Setting.VERIFY_DELAY.build(Duration.ofSeconds(5)).verifyDelay())
                .isEqualTo(Duration.ofSeconds(5));
        assertThatThrownBy(() -> Setting.VERIFY_DELAY.build(Duration.ofMillis(5_001)))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessage("verify-delay is PT5.001S: it must not be longer than the renew interval, PT5S. Shorten the"
                        + " verify delay.");
    }

    static Stream<String> refusedTexts() {
        return Stream.of(
                "",
                " ",
                "\t",
                "\u2003",
                "a\nb",
                "a\u0000",
                "\u007f",
                "a\u0085b",
                "a\ud800",
                "\udc00a",
                "x".repeat(201));
    }

    @ParameterizedTest
    @MethodSource("refusedTexts")
    void aNameThatIsNoShortPlainTextIsRefused(String text) {
        assertThatThrownBy(() -> LeaseSettings.builder(text).build())
                .isInstanceOfSatisfying(
                        InvalidSettingException.class,
                        e -> assertThat(e.setting()).isEqualTo("name"))
                .hasMessageContaining("it must have 1 to 200 characters, not only blanks, and no control characters")
                .satisfies(
                        e -> assertThat(String.valueOf(e.getMessage()).chars()).noneMatch(Character::isISOControl));
    }

    @ParameterizedTest
    @MethodSource("refusedTexts")
    void aHolderPrefixThatIsNoShortPlainTextIsRefused(String text) {
        assertThatThrownBy(
                        () -> LeaseSettings.builder("orders").holderPrefix(text).build())
                .isInstanceOfSatisfying(
                        InvalidSettingException.class,
                        e -> assertThat(e.setting()).isEqualTo("holder-id"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "My App / orders", "注文", "\ud83d\ude00", "../up"})
    void anyOtherShortTextIsAName(String text) {
        assertThat(LeaseSettings.builder(text).holderPrefix(text).build().name())
                .isEqualTo(text);
    }
}
