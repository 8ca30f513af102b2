package io.leasehold.spring.autoconfigure;

import io.leasehold.file.UnsuitableDirectoryException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells why a directory that the application chooses itself cannot hold a lease or its state. */
final class UnsuitableDirectoryFailureAnalyzer extends AbstractFailureAnalyzer<UnsuitableDirectoryException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnsuitableDirectoryException cause) {
        return new FailureAnalysis(
                "A directory for a lease or its state cannot be used: " + cause.problem(), cause.action(), cause);
    }
}
