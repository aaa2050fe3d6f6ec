package dev.holdfast.internal.pipeline;

import static dev.holdfast.internal.pipeline.PipelineScene.held;
import static dev.holdfast.internal.pipeline.PipelineScene.stored;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.service.Answer;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class GrantReleaserTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final RequestSteps steps = new RequestSteps();
    private final GrantReleaser releaser = steps.scene.pipeline.releaser();

    private static Entry heldUnderAnAnchor() {
        Entry entry = held(1);
        Grant last = requireNonNull(entry.grant());
        AnchorRef anchor = new AnchorRef(Key.ofAnchor(Holder.of("worker")), Fence.of(7));
        Grant grant = new Grant(
                last.token(), last.holder(), last.term(), Beat.of(PipelineScene.version(1)), last.grantedAt(), anchor);
        return entry.renewed(entry.version(), entry.fence(), grant, entry.attributes());
    }

    private void answerRead(Entry current) {
        steps.scene.store.reads.get(steps.scene.store.reads.size() - 1).complete(List.of(Optional.of(stored(current))));
    }

    @Test
    void anUndeliveredGrantIsReleased() {
        CompletableFuture<Void> released = releaser.release(held(1));
        answerRead(held(1));
        assertThat(requireNonNull(steps.lastChange().next()).state()).isEqualTo(LeaseState.FREE);
        assertThat(released).isNotDone();

        steps.applyLast();

        assertThat(released).isCompleted();
    }

    @Test
    void aGrantThatWasRenewedSinceIsKept() {
        CompletableFuture<Void> released = releaser.release(held(1));

        answerRead(held(2));

        assertThat(released).isCompleted();
        assertThat(steps.batches()).isZero();
    }

    @Test
    void aGrantThatAnotherCallMadeIsKept() {
        ClockReading now = steps.scene.pipeline.clock().reading();

        assertThat(releaser.release(new Answer.Applied(held(1), now, now, now, true)))
                .isCompleted();
        assertThat(steps.scene.store.reads).isEmpty();

        CompletableFuture<Void> own = releaser.release(new Answer.Applied(held(1), now, now, now, false));
        assertThat(own).isNotDone();
        assertThat(steps.scene.store.reads).hasSize(1);
    }

    @Test
    void aReleaseThatFailsIsNotRetriedAsTheTermEndsTheGrant() {
        CompletableFuture<Void> released = releaser.release(held(1));
        failUntil(released);
        int reads = steps.scene.store.reads.size();

        steps.advance(SECOND.multipliedBy(20));

        assertThat(released).isCompletedExceptionally();
        assertThat(steps.scene.store.reads).hasSize(reads);
    }

    @Test
    void aReleaseUnderAnAnchorIsRetriedUntilItSucceeds() {
        CompletableFuture<Void> released = releaser.release(heldUnderAnAnchor());
        failUntil(released);
        int reads = steps.scene.store.reads.size();
        assertThat(released).isCompletedExceptionally();

        steps.advance(SECOND);
        assertThat(steps.scene.store.reads).hasSize(reads + 1);
        answerRead(heldUnderAnAnchor());

        assertThat(requireNonNull(steps.lastChange().next()).state()).isEqualTo(LeaseState.FREE);
    }

    @Test
    void theRetriesOfAReleaseUnderAnAnchorComeLessAndLessOften() {
        failUntil(releaser.release(heldUnderAnAnchor()));

        long first = pauseUntilTheNextRetry();
        long second = pauseUntilTheNextRetry();
        long third = pauseUntilTheNextRetry();

        assertThat(second).isGreaterThan(first);
        assertThat(third).isGreaterThan(second);
    }

    /** In milliseconds. The retry fails in its turn. */
    private long pauseUntilTheNextRetry() {
        var reads = steps.scene.store.reads;
        int before = reads.size();
        long millis = 0;
        while (reads.size() == before && millis < 100_000) {
            steps.advance(Duration.ofMillis(1));
            millis++;
        }
        long deadline = steps.scene.environment.nanos() + PipelineScene.OPERATION_TIMEOUT.toNanos();
        while (steps.scene.environment.nanos() < deadline) {
            reads.get(reads.size() - 1).completeExceptionally(StoreException.notApplied("busy", null));
            steps.advance(Duration.ofMillis(1));
        }
        return millis;
    }

    @Test
    void aReleaseThatTheStoreRejectsIsNotRetried() {
        CompletableFuture<Void> released = releaser.release(heldUnderAnAnchor());
        steps.scene.store.reads.get(0).completeExceptionally(StoreException.rejected("never", null));

        steps.advance(SECOND.multipliedBy(20));

        assertThat(released).isCompletedExceptionally();
        assertThat(steps.scene.store.reads).hasSize(1);
    }

    private void failUntil(CompletableFuture<Void> released) {
        for (int i = 0; i < 200 && !released.isDone(); i++) {
            var reads = steps.scene.store.reads;
            reads.get(reads.size() - 1).completeExceptionally(StoreException.notApplied("busy", null));
            if (!released.isDone()) {
                steps.advance(Duration.ofMillis(100));
            }
        }
    }
}
