package dev.holdfast.embedded;

import dev.holdfast.AsyncLeases;
import dev.holdfast.explanation.ExplainedFact;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.service.ExplanationSource;
import dev.holdfast.support.Futures;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;

/** The modules that extend explanations. They are looked up once, by the first explanation. */
final class ExplanationSources {
    private static final List<ExplanationSource> FOUND =
            ServiceLoader.load(ExplanationSource.class, ExplanationSource.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();

    private ExplanationSources() {}

    /** A source that fails is named in the facts. The rest of the explanation stays. */
    static CompletableFuture<LeaseExplanation> extend(LeaseExplanation explanation, AsyncLeases leases) {
        CompletableFuture<LeaseExplanation> all = CompletableFuture.completedFuture(explanation);
        for (ExplanationSource source : FOUND) {
            all = all.thenCompose(known -> Futures.contain(
                            () -> source.extend(known, leases).toCompletableFuture())
                    .exceptionally(error -> known.extended(
                            known.summary(),
                            List.of(new ExplainedFact(
                                    source.getClass().getSimpleName(),
                                    "unknown (" + Futures.cause(error).getMessage() + ")")))));
        }
        return all;
    }
}
