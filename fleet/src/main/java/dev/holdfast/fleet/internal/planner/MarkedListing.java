package dev.holdfast.fleet.internal.planner;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.internal.units.WorkerClient;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Grant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A listing that is repeated only when it may be outdated. A mark, which is a key, is granted whenever a change is about
 * to happen or has happened. A listing is outdated if the mark was granted since, or was held when the listing began. It
 * also expires after a long time, in case a change was made without the mark.
 */
final class MarkedListing {
    private final WorkerClient client;
    private final Key mark;
    private @Nullable MarkState listedMark;
    private long listedNanos;

    MarkedListing(WorkerClient client, Key mark) {
        this.client = client;
        this.mark = mark;
    }

    /**
     * The state of the mark.
     *
     * @param fence identifies the grant. Unlike the number of grants it never restarts, even if the entry is removed
     *     after a week without use.
     * @param beat the last renewal. A holder may renew after its term was over, and continue to make changes, as long
     *     as no other holder was granted the key.
     */
    record MarkState(Fence fence, @Nullable Beat beat, boolean held) {
        static MarkState of(Optional<LeaseStatus> status) {
            return new MarkState(
                    status.map(LeaseStatus::fence).orElse(Fence.NONE),
                    status.map(found -> found.entry().grant()).map(Grant::beat).orElse(null),
                    status.map(LeaseStatus::isHeld).orElse(false));
        }
    }

    /** Reads the mark. */
    CompletionStage<MarkState> readMark() {
        return client.async().get(mark).thenApply(MarkState::of);
    }

    /**
     * Reads the mark, and then lists if necessary.
     *
     * @param mayReuse whether a current listing suffices
     * @param reuse called if the last listing is used
     */
    CompletionStage<Void> refresh(
            boolean mayReuse,
            Supplier<? extends CompletionStage<Void>> reuse,
            Supplier<? extends CompletionStage<Void>> list) {
        return readMark().thenCompose(now -> mayReuse && isCurrent(now) ? reuse.get() : listAt(now, list));
    }

    /** Lists if necessary, with a mark that was just read. */
    CompletionStage<Void> refresh(MarkState now, Supplier<? extends CompletionStage<Void>> list) {
        return isCurrent(now) ? CompletableFuture.completedFuture(null) : listAt(now, list);
    }

    private CompletionStage<Void> listAt(MarkState now, Supplier<? extends CompletionStage<Void>> list) {
        return list.get().thenRun(() -> {
            listedMark = now;
            listedNanos = client.nanos();
        });
    }

    /** Returns the fence of the last edit that the listing fully contains; 0 if there is none. */
    long settledFence() {
        MarkState listed = listedMark;
        return listed == null || listed.held ? 0 : listed.fence.value();
    }

    private boolean isCurrent(MarkState now) {
        return !now.held
                && now.equals(listedMark)
                && client.nanos() - listedNanos < client.options().relistEvery().toNanos();
    }
}
