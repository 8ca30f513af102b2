package io.leasehold.spring.autoconfigure;

import io.leasehold.spring.UnsuitableListenerException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells why a listener cannot follow the lease. */
final class UnsuitableListenerFailureAnalyzer extends AbstractFailureAnalyzer<UnsuitableListenerException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnsuitableListenerException cause) {
        return new FailureAnalysis(Printable.of(cause.problem()), cause.action(), cause);
    }
}
