package dev.holdfast.internal.waiting;

import static dev.holdfast.internal.pipeline.PipelineScene.KEY;
import static dev.holdfast.internal.pipeline.PipelineScene.held;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holder;
import dev.holdfast.StoreException;
import dev.holdfast.rules.SuccessionRules;
import dev.holdfast.service.Answer;
import dev.holdfast.store.Entry;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of a queue that finds the key reserved for another holder. */
class WaitCourtesyTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final WaitingScene scene = new WaitingScene();

    private Holder lastHolder() {
        Entry next = Objects.requireNonNull(scene.lastApply().changes().get(0).next());
        return Objects.requireNonNull(next.grant()).holder();
    }

    @Test
    void aQueueDoesNotAttemptUntilTheCourtesyIsOver() {
        CompletableFuture<Answer> waiting = scene.await("us", LONG);
        scene.conflict(scene.releasedFor("cyd"));

        scene.environment.advance(SuccessionRules.COURTESY.minusNanos(1));
        assertThat(scene.attempts()).isEqualTo(1);
        scene.environment.advance(Duration.ofNanos(1));
        assertThat(scene.attempts()).isEqualTo(2);

        scene.answer(WriteOutcome.APPLIED);
        assertThat(waiting).isCompletedWithValueMatching(Answer.Applied.class::isInstance);
    }

    @Test
    void aWaitingSuccessorIsServedFirstAndImmediately() {
        CompletableFuture<Answer> us = scene.await("us", LONG);
        CompletableFuture<Answer> cyd = scene.await("cyd", LONG);
        scene.conflict(scene.releasedFor("cyd"));

        // Cyd arrived after the question, so the answer that the others got is not enough for its own grant to be
        // refused.
        assertThat(scene.attempts()).isEqualTo(2);
        assertThat(lastHolder()).isEqualTo(Holder.of("cyd"));
        scene.answer(WriteOutcome.APPLIED);
        assertThat(cyd).isCompletedWithValueMatching(Answer.Applied.class::isInstance);
        assertThat(us).isNotDone();
    }

    @Test
    void aSuccessorThatHasWaitedForLongIsServedFirstToo() {
        CompletableFuture<Answer> us = scene.await("us", LONG);
        CompletableFuture<Answer> cyd = scene.await("cyd", LONG);
        scene.conflict(held(1));
        scene.read(held(1));
        scene.notifyWaiters();
        int before = scene.attempts();

        scene.read(scene.releasedFor("cyd"));

        assertThat(scene.attempts()).as("without any time having passed").isEqualTo(before + 1);
        assertThat(lastHolder()).isEqualTo(Holder.of("cyd"));
        scene.answer(WriteOutcome.APPLIED);
        assertThat(cyd).isCompletedWithValueMatching(Answer.Applied.class::isInstance);
        assertThat(us).isNotDone();
    }

    @Test
    void aRequestThatMayHaveBeenGrantedBeforeItYieldedFailsWithThatDoubt() {
        CompletableFuture<Answer> waiting = scene.await("us", LONG);
        scene.lastApply().answer().completeExceptionally(StoreException.unknown("no answer", null));
        scene.environment.advance(Duration.ofMillis(10));
        scene.conflict(scene.releasedFor("cyd"));
        scene.environment.advance(SuccessionRules.COURTESY);

        scene.lastApply().answer().completeExceptionally(StoreException.rejected("no more", null));

        assertThat(waiting)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(StoreException.Effect.UNKNOWN));
    }

    @Test
    void aRequestThatHasNoTimeForTheCourtesyDoesNotYield() {
        scene.environment.advance(LONG);
        CompletableFuture<Answer> hurried = scene.await("us", SuccessionRules.COURTESY.multipliedBy(2));
        scene.conflict(scene.releasedFor("cyd"));

        assertThat(scene.attempts()).isEqualTo(2);
        assertThat(lastHolder()).isEqualTo(Holder.of("us"));
        scene.answer(WriteOutcome.APPLIED);
        assertThat(hurried).isCompletedWithValueMatching(Answer.Applied.class::isInstance);
    }

    @Test
    void aRequestWithJustEnoughTimeForTheCourtesyYields() {
        CompletableFuture<Answer> waiting =
                scene.await("us", SuccessionRules.COURTESY.multipliedBy(2).plusNanos(1));
        scene.conflict(scene.releasedFor("cyd"));

        assertThat(scene.attempts()).isEqualTo(1);
        assertThat(waiting).isNotDone();
        assertThat(scene.queues.isWaitedFor(KEY)).isTrue();
    }
}
