package io.leasehold;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a lease. Immutable; made by {@link #builder(String)}, which gives every duration a default that follows
 * from the ttl.
 *
 * <p>Between the claim and the drain point, which is the ttl less the margin and the drain timeout, there is room for at
 * least two renew intervals: one renew can fail and the next one still keeps the lease.
 *
 * @param name the lease's name: what the replicas of one application share
 * @param holderPrefix what holder ids begin with; a random part always follows
 * @param ttl how long a term lasts without a confirmed renew
 * @param renewInterval the time from one renew to the next, and from one look of a standby to the next
 * @param drainTimeout how long the work may take to stop when a surrender begins; zero: it is not waited for before the
 *     deadline
 * @param verifyDelay the pause before a read that failed is tried again, and before a write is
 * @param maxClockSkew how far apart the wall clocks of two processes may be; counts only when a process that has just
 *     started finds a lease that had expired before
 */
public record LeaseSettings(
        String name,
        String holderPrefix,
        Duration ttl,
        Duration renewInterval,
        Duration drainTimeout,
        Duration verifyDelay,
        Duration maxClockSkew) {

    /** The longest text that a name or a holder prefix may be. */
    private static final int MAX_TEXT = 200;

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final Duration LEAST_MARGIN = Duration.ofMillis(20);
    private static final int MARGIN_FRACTION = 50;

    /**
     * Checks every value and the relations between them.
     *
     * @param name the lease's name
     * @param holderPrefix what holder ids begin with
     * @param ttl how long a term lasts without a confirmed renew
     * @param renewInterval the time from one renew to the next
     * @param drainTimeout how long the work may take to stop
     * @param verifyDelay the pause before a failed read or write is tried again
     * @param maxClockSkew how far apart two wall clocks may be
     * @throws InvalidSettingException when a value breaks a rule
     */
    public LeaseSettings {
        requireText("name", name);
        requireText("holder-id", holderPrefix);
        requireDuration("ttl", ttl, SHORTEST);
        requireDuration("renew-interval", renewInterval, SHORTEST);
        requireDuration("drain-timeout", drainTimeout, Duration.ZERO);
        requireDuration("verify-delay", verifyDelay, SHORTEST);
        requireDuration("max-clock-skew", maxClockSkew, Duration.ZERO);
        Duration untilDrainPoint = ttl.minus(margin(ttl)).minus(drainTimeout);
        if (untilDrainPoint.compareTo(renewInterval.multipliedBy(2)) < 0) {
            throw new InvalidSettingException(
                    "renew-interval",
                    renewInterval.toString(),
                    "two renew intervals do not fit between a claim and the drain point, " + untilDrainPoint
                            + " later (ttl " + ttl + " less the margin " + margin(ttl) + " and the drain timeout "
                            + drainTimeout + ")",
                    "Shorten the renew interval or the drain timeout, or lengthen the ttl.");
        }
        if (verifyDelay.compareTo(renewInterval) > 0) {
            throw new InvalidSettingException(
                    "verify-delay",
                    verifyDelay.toString(),
                    "it must not be longer than the renew interval, " + renewInterval,
                    "Shorten the verify delay.");
        }
    }

    /**
     * How much earlier than the ttl the holder stops, for clocks that drift: a fiftieth of the ttl, at least 20 ms.
     *
     * @return the margin
     */
    public Duration margin() {
        return margin(ttl);
    }

    private static Duration margin(Duration ttl) {
        Duration margin = ttl.dividedBy(MARGIN_FRACTION);
        return margin.compareTo(LEAST_MARGIN) < 0 ? LEAST_MARGIN : margin;
    }

    private static void requireText(String setting, String value) {
        if (value.isBlank()
                || value.length() > MAX_TEXT
                || value.codePoints()
                        .anyMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE)) {
            throw new InvalidSettingException(
                    setting,
                    "'" + shown(value) + "'",
                    "it must have 1 to " + MAX_TEXT + " characters, not only blanks, and no control characters",
                    "Choose a short plain text.");
        }
    }

    /** A text of any length and with any characters, fit for one line of a log. */
    private static String shown(String value) {
        String start = value.length() > MAX_TEXT ? value.substring(0, MAX_TEXT) + "..." : value;
        return start.replaceAll("[\\p{Cc}\\p{Cs}]", "?");
    }

    private static void requireDuration(String setting, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
            throw new InvalidSettingException(
                    setting,
                    value.toString(),
                    "it must be between " + least + " and " + LONGEST.toDays() + " days",
                    "Write a duration with its unit, such as 30s or 500ms.");
        }
        if (!value.isZero() && value.compareTo(SHORTEST) < 0) {
            throw new InvalidSettingException(
                    setting,
                    value.toString(),
                    "durations below a millisecond are not supported",
                    "Write a duration with its unit, such as 30s or 500ms.");
        }
    }

    /**
     * Begins a set of settings.
     *
     * @param name the lease's name
     * @return a builder with every default in place
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Collects settings; what is not said, or said as null, gets its default. Not safe for use by several threads. */
    public static final class Builder {
        private static final Duration DEFAULT_TTL = Duration.ofSeconds(30);
        private static final Duration DEFAULT_SKEW = Duration.ofSeconds(60);
        private static final Duration LEAST_VERIFY_DELAY = Duration.ofMillis(50);
        private static final Duration MOST_VERIFY_DELAY = Duration.ofSeconds(1);

        private final String name;
        private @Nullable String holderPrefix;
        private @Nullable Duration ttl;
        private @Nullable Duration renewInterval;
        private @Nullable Duration drainTimeout;
        private @Nullable Duration verifyDelay;
        private @Nullable Duration maxClockSkew;

        private Builder(String name) {
            this.name = name;
        }

        /**
         * What holder ids begin with. Default: the host's name and the process id.
         *
         * @param value the prefix, or null for the default
         * @return this builder
         */
        public Builder holderPrefix(@Nullable String value) {
            holderPrefix = value;
            return this;
        }

        /**
         * How long a term lasts without a confirmed renew. Default: 30 s.
         *
         * @param value the ttl, or null for the default
         * @return this builder
         */
        public Builder ttl(@Nullable Duration value) {
            ttl = value;
            return this;
        }

        /**
         * The time from one renew to the next. Default: a sixth of the ttl.
         *
         * @param value the interval, or null for the default
         * @return this builder
         */
        public Builder renewInterval(@Nullable Duration value) {
            renewInterval = value;
            return this;
        }

        /**
         * How long the work may take to stop. Default: a third of the ttl.
         *
         * @param value the timeout, zero for none, or null for the default
         * @return this builder
         */
        public Builder drainTimeout(@Nullable Duration value) {
            drainTimeout = value;
            return this;
        }

        /**
         * The pause before a failed read or write is tried again. Default: a tenth of the renew interval, at least 50 ms and
         * at most 1 s, and never longer than the renew interval.
         *
         * @param value the pause, or null for the default
         * @return this builder
         */
        public Builder verifyDelay(@Nullable Duration value) {
            verifyDelay = value;
            return this;
        }

        /**
         * How far apart two wall clocks may be. Default: 60 s.
         *
         * @param value the skew, or null for the default
         * @return this builder
         */
        public Builder maxClockSkew(@Nullable Duration value) {
            maxClockSkew = value;
            return this;
        }

        /**
         * Fills in the defaults and checks everything.
         *
         * @return the settings
         * @throws InvalidSettingException when a value breaks a rule
         */
        public LeaseSettings build() {
            Duration effectiveTtl = ttl != null ? ttl : DEFAULT_TTL;
            requireDuration("ttl", effectiveTtl, SHORTEST);
            Duration effectiveRenew = renewInterval != null ? renewInterval : effectiveTtl.dividedBy(6);
            return new LeaseSettings(
                    name,
                    holderPrefix != null ? holderPrefix : HolderIds.defaultPrefix(),
                    effectiveTtl,
                    effectiveRenew,
                    drainTimeout != null ? drainTimeout : effectiveTtl.dividedBy(3),
                    verifyDelay != null ? verifyDelay : defaultVerifyDelay(effectiveRenew),
                    maxClockSkew != null ? maxClockSkew : DEFAULT_SKEW);
        }

        private static Duration defaultVerifyDelay(Duration renewInterval) {
            Duration tenth = renewInterval.dividedBy(10);
            Duration least = tenth.compareTo(LEAST_VERIFY_DELAY) < 0 ? LEAST_VERIFY_DELAY : tenth;
            Duration most = least.compareTo(MOST_VERIFY_DELAY) > 0 ? MOST_VERIFY_DELAY : least;
            return most.compareTo(renewInterval) > 0 ? renewInterval : most;
        }
    }
}
