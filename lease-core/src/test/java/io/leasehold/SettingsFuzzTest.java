package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random settings: they hold every relation, down to a term that can be held and renewed, or the setting is named. */
class SettingsFuzzTest {
    private static final List<String> SETTINGS =
            List.of("name", "holder-id", "ttl", "renew-interval", "drain-timeout", "verify-delay", "max-clock-skew");
    private static final List<Duration> EDGES = List.of(
            Duration.ZERO,
            Duration.ofNanos(1),
            Duration.ofNanos(999_999),
            Duration.ofMillis(1),
            Duration.ofMillis(-1),
            Duration.ofDays(365),
            Duration.ofDays(365).plusNanos(1),
            Duration.ofNanos(Long.MAX_VALUE),
            Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
            Duration.ofSeconds(Long.MIN_VALUE));

    private static @Nullable Duration duration(SplittableRandom random) {
        return switch (random.nextInt(6)) {
            case 0, 1 -> null;
            case 2 -> EDGES.get(random.nextInt(EDGES.size()));
            case 3 -> Duration.ofSeconds(random.nextLong(), random.nextInt(1_000_000_000));
            default -> Duration.ofNanos(random.nextLong(1L << (1 + random.nextInt(61))));
        };
    }

    private static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(8) == 0 ? random.nextInt(100_000) : random.nextInt(40);
        int range = random.nextBoolean() ? 0x60 : 0xFFFF;
        for (int i = 0; i < length; i++) {
            text.append((char) (0x1F + random.nextInt(range)));
        }
        return text.toString();
    }

    @Test
    void everySettingsHoldTheirRelationsOrNameTheSetting() {
        Fuzz.run("settings", seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            try {
                LeaseSettings settings = LeaseSettings.builder(random.nextInt(4) == 0 ? text(random) : "orders")
                        .holderPrefix(random.nextInt(4) == 0 ? text(random) : null)
                        .ttl(duration(random))
                        .renewInterval(duration(random))
                        .drainTimeout(duration(random))
                        .verifyDelay(duration(random))
                        .maxClockSkew(duration(random))
                        .build();
                requireUsable(settings);
            } catch (InvalidSettingException e) {
                String message = String.valueOf(e.getMessage());
                assertThat(SETTINGS).contains(e.setting());
                assertThat(message).startsWith(e.setting() + " is ").hasSizeLessThan(1000);
                assertThat(message.chars().noneMatch(Character::isISOControl)).isTrue();
            }
        });
    }

    private static void requireUsable(LeaseSettings settings) {
        ManualClock clock = new ManualClock();
        Lease lease = new Lease(settings, "host-1", 1, clock.now(), clock, (term, reason) -> {}, null);
        assertThat(lease.enforce())
                .isGreaterThanOrEqualTo(2 * settings.renewInterval().toNanos());
        clock.advance(settings.renewInterval());
        assertThat(lease.confirm(clock.now())).isTrue();
        clock.advance(settings.ttl());
        assertThat(lease.isHeld()).isFalse();
    }
}
