package dev.holdfast.spring.boot;

import dev.holdfast.spring.HoldfastSetupException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Turns {@link HoldfastSetupException} into the report that Spring Boot prints instead of a stack trace. */
final class HoldfastFailureAnalyzer extends AbstractFailureAnalyzer<HoldfastSetupException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, HoldfastSetupException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
    }
}
