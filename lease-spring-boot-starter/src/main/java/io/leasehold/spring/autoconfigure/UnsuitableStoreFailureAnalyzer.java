package io.leasehold.spring.autoconfigure;

import io.leasehold.store.UnsuitableStoreException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells why a store cannot hold a lease or its state. */
final class UnsuitableStoreFailureAnalyzer extends AbstractFailureAnalyzer<UnsuitableStoreException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnsuitableStoreException cause) {
        return new FailureAnalysis(Printable.of(cause.problem()), cause.action(), cause);
    }
}
