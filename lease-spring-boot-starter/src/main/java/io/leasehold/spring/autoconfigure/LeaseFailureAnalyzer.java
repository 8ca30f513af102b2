package io.leasehold.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells what is wrong with a property of the lease. */
final class LeaseFailureAnalyzer extends AbstractFailureAnalyzer<LeaseConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LeaseConfigurationException cause) {
        return new FailureAnalysis(cause.problem(), cause.action(), cause);
    }
}
