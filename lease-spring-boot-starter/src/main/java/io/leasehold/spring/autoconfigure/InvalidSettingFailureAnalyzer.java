package io.leasehold.spring.autoconfigure;

import io.leasehold.InvalidSettingException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Tells which property breaks a rule of the lease, with the value as it was written. */
final class InvalidSettingFailureAnalyzer extends AbstractFailureAnalyzer<InvalidSettingException> {
    private final @Nullable Environment environment;

    InvalidSettingFailureAnalyzer(@Nullable Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidSettingException cause) {
        String property = "lease." + cause.setting();
        String written = environment == null ? null : environment.getProperty(property);
        String asWritten = written == null ? " is not set, and its default" : ", set to '" + written + "',";
        return new FailureAnalysis(
                "The property " + property + asWritten + " breaks a rule: " + cause.problem(), cause.action(), cause);
    }
}
