package io.leasehold.spring;

import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

/**
 * What a test needs of the machine that it runs on. Where that is missing the test is skipped and says why; with {@code
 * -Dleasehold.require-all=true} it fails.
 */
final class Requirements {
    private static final String REQUIRE_ALL = "leasehold.require-all";

    private Requirements() {}

    /** Goes on where the requirement is met. */
    static void require(boolean met, String reason) {
        if (met) {
            return;
        }
        if (Boolean.getBoolean(REQUIRE_ALL)) {
            fail(reason + "; " + REQUIRE_ALL + " is set, so this is no reason to skip");
        }
        abort(reason);
    }
}
