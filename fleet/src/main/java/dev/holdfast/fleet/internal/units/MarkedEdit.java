package dev.holdfast.fleet.internal.units;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AsyncLeases;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** An edit that planners must notice. It is made while a mark is held: see {@link FleetKeyLayout#unitsMark}. */
public record MarkedEdit(AsyncLeases leases, Key mark) {
    /**
     * The term of the mark, which is renewed during an edit. A client that dies half-way blocks other edits for this
     * long.
     */
    private static final Duration MARK_TERM = Duration.ofSeconds(5);

    private static final Duration WAIT = Duration.ofMinutes(1);

    /** Waits for the mark, makes the edit, and releases the mark. */
    public <T> CompletionStage<T> make(Supplier<? extends CompletionStage<T>> edit) {
        AcquireOptions options = AcquireOptions.defaults().term(MARK_TERM);
        return leases.acquire(mark, options, WAIT).thenCompose(result -> {
            Lease held = result.orThrow();
            CompletableFuture<T> edited = Futures.contain(() -> edit.get().toCompletableFuture());
            return edited.handle((value, error) -> true)
                    .thenCompose(over -> held.releaseAsync())
                    .exceptionally(trouble -> false) // Then the mark's term ends soon.
                    .thenCompose(released -> edited);
        });
    }
}
