package io.leasehold.spring.autoconfigure;

import io.leasehold.file.UnsuitableDirectoryException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells why a directory cannot hold the lease or its state. */
final class UnsuitableDirectoryFailureAnalyzer extends AbstractFailureAnalyzer<UnsuitableDirectoryException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnsuitableDirectoryException cause) {
        return new FailureAnalysis(
                "The directory set by lease.file.path or lease.state.path cannot be used: " + cause.problem(),
                cause.action(),
                cause);
    }
}
