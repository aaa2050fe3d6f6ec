package dev.holdfast.fleet.internal;

import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.UnitHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Two callbacks that may block, run where they may. */
public record Callbacks(Consumer<Unit> onAssigned, Consumer<Unit> onRevoked, Executor executor) implements UnitHandler {
    @Override
    public CompletionStage<?> assigned(Unit unit) {
        return run(onAssigned, unit);
    }

    @Override
    public CompletionStage<?> revoked(Unit unit) {
        return run(onRevoked, unit);
    }

    private CompletionStage<?> run(Consumer<Unit> callback, Unit unit) {
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                callback.accept(unit);
                over.complete(true);
            } catch (Throwable e) {
                // An Error too: whatever it was, the unit must not hang here for ever.
                over.completeExceptionally(e);
            }
        });
        return over;
    }
}
