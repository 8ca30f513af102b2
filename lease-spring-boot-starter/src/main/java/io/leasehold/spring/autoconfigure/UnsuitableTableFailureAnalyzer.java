package io.leasehold.spring.autoconfigure;

import io.leasehold.jdbc.UnsuitableTableException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells why a table cannot hold a lease or its state. */
final class UnsuitableTableFailureAnalyzer extends AbstractFailureAnalyzer<UnsuitableTableException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnsuitableTableException cause) {
        return new FailureAnalysis("A table cannot be used for " + cause.place() + ".", cause.action(), cause);
    }
}
