package io.leasehold.spring.autoconfigure;

import io.leasehold.InvalidSettingException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells which setting that the application makes itself breaks a rule of the lease. */
final class InvalidSettingFailureAnalyzer extends AbstractFailureAnalyzer<InvalidSettingException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidSettingException cause) {
        return new FailureAnalysis(
                "The setting " + cause.setting() + " of a lease breaks a rule: " + cause.problem(),
                cause.action(),
                cause);
    }
}
