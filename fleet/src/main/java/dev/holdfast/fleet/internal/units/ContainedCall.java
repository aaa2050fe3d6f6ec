package dev.holdfast.fleet.internal.units;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Begins calls so that all that can go wrong comes the same way: also what is thrown at once, as by a closed client. */
public final class ContainedCall {
    private ContainedCall() {}

    public static <T> CompletableFuture<T> of(Supplier<? extends CompletionStage<T>> call) {
        try {
            return call.get().toCompletableFuture();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
