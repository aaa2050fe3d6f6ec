package dev.holdfast.fleet.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Begins calls so that all that can go wrong comes the same way: also what is thrown at once, as by a closed client. */
final class Attempt {
    private Attempt() {}

    static <T> CompletableFuture<T> of(Supplier<? extends CompletionStage<T>> call) {
        try {
            return call.get().toCompletableFuture();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
