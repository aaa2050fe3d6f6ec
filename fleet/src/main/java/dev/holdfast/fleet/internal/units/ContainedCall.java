package dev.holdfast.fleet.internal.units;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A call that reports every failure through its future, including exceptions thrown at once, for example by a closed
 * client.
 */
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
