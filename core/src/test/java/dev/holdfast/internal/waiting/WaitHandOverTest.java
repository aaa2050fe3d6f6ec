package dev.holdfast.internal.waiting;

import static dev.holdfast.internal.pipeline.PipelineScene.KEY;
import static dev.holdfast.internal.pipeline.PipelineScene.held;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holder;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.internal.pipeline.CallWrites;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.store.Entry;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of a release in this process that grants the key to a request that waits here, by one write. */
@SuppressWarnings("FutureReturnValueIgnored") // Some requests are only there for others to meet them.
class WaitHandOverTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Token HOLDERS = requireNonNull(held(1).grant()).token();

    private final WaitingScene scene = new WaitingScene();

    /** A request that found the key held, and waits. */
    private CompletableFuture<Answer> waiting(String holder, Duration wait) {
        CompletableFuture<Answer> waiting = scene.await(holder, wait);
        if (scene.attempts() == 1) {
            scene.conflict(held(1));
        } else {
            scene.read(held(1));
        }
        assertThat(waiting).isNotDone();
        return waiting;
    }

    private @Nullable CompletableFuture<Answer> handOver(@Nullable String next) {
        LeaseRequest.Release release = new LeaseRequest.Release(HOLDERS, next == null ? null : Holder.of(next));
        return scene.queues.handOver(KEY, release, false);
    }

    private Entry lastWritten() {
        return requireNonNull(scene.lastApply().changes().get(0).next());
    }

    private Holder lastGranted() {
        return requireNonNull(lastWritten().grant()).holder();
    }

    @Test
    void theFirstRequestIsGrantedTheKeyByTheReleaseItself() {
        CompletableFuture<Answer> waiting = waiting("us", LONG);

        CompletableFuture<Answer> released = requireNonNull(handOver(null));
        assertThat(lastGranted()).isEqualTo(Holder.of("us"));
        scene.answer(WriteOutcome.APPLIED);

        assertThat(released).isCompletedWithValueMatching(Answer.Applied.class::isInstance);
        assertThat(waiting).isCompletedWithValueMatching(Answer.Applied.class::isInstance);
        assertThat(scene.queues.isWaitedFor(KEY)).isFalse();
    }

    @Test
    void aKeyThatIsNotWaitedForIsNotHandedOver() {
        assertThat(handOver(null)).isNull();
    }

    @Test
    void aQueueThatIsAttemptingIsServedByThePlainRelease() {
        CompletableFuture<Answer> waiting = scene.await("us", LONG);

        assertThat(handOver(null)).isNull();
        assertThat(waiting).isNotDone();
        assertThat(scene.attempts()).isEqualTo(1);
    }

    @Test
    void aNamedHolderIsPreferredIfItWaitsHere() {
        waiting("us", LONG);
        CompletableFuture<Answer> cyd = waiting("cyd", LONG);

        assertThat(handOver("dan")).as("a holder that waits elsewhere").isNull();
        assertThat(handOver("cyd")).isNotNull();
        assertThat(lastGranted()).isEqualTo(Holder.of("cyd"));
        scene.answer(WriteOutcome.APPLIED);
        assertThat(cyd).isCompletedWithValueMatching(Answer.Applied.class::isInstance);
    }

    @Test
    void aBusyProcessReleasesTheKeyForOthersAfterManyHandOvers() {
        CompletableFuture<Answer> last = waitingAfterAllHandOvers();

        assertThat(handOver(null)).as("the turn of another process").isNull();
        int before = scene.attempts();
        scene.queues.freed(KEY);
        scene.notifyWaiters();
        assertThat(scene.attempts()).as("attempts during the pause").isEqualTo(before);

        scene.environment.advance(HandOverQuota.PAUSE);
        assertThat(scene.attempts()).isEqualTo(before + 1);
        assertThat(last).isNotDone();
    }

    @Test
    void aReleaseForOthersThatTheStoreReportsFirstIsNotFollowedByAnAttemptAtOnce() {
        waitingAfterAllHandOvers();
        assertThat(handOver(null)).isNull();
        int before = scene.attempts();

        scene.notifyWaiters();

        assertThat(scene.attempts()).isEqualTo(before);
    }

    @Test
    void theTimeOfASlowReleaseIsNotPartOfThePause() {
        waitingAfterAllHandOvers();
        assertThat(handOver(null)).isNull();
        int before = scene.attempts();
        scene.environment.advance(HandOverQuota.PAUSE);

        scene.queues.freed(KEY);
        assertThat(scene.attempts()).isEqualTo(before);

        scene.environment.advance(HandOverQuota.PAUSE);
        assertThat(scene.attempts()).isEqualTo(before + 1);
    }

    @Test
    void aProcessThatGetsTheKeyBackMakesTwiceAsManyHandOvers() {
        waitInNumbers();
        Token holder = handOverUntilReleased(HOLDERS, 16);

        release(holder);
        scene.answer(WriteOutcome.APPLIED);

        handOverUntilReleased(lastToken(), 31);
    }

    @Test
    void aProcessThatLostTheKeyToAnotherMakesFewHandOversAgain() {
        waitInNumbers();
        release(handOverUntilReleased(HOLDERS, 16));
        scene.answer(WriteOutcome.APPLIED);
        release(handOverUntilReleased(lastToken(), 31));
        scene.conflict(held(50)); // Another process was faster.

        scene.notifyWaiters();
        scene.read(held(50), LONG.multipliedBy(10)); // That process has died.
        scene.answer(WriteOutcome.APPLIED);

        handOverUntilReleased(lastToken(), 15);
    }

    @Test
    void aNewRequestThatFindsAnotherOneOfItsProcessDoesNotMakeItPauseMoreOften() {
        waitInNumbers();
        release(handOverUntilReleased(HOLDERS, 16));
        scene.answer(WriteOutcome.APPLIED);
        scene.await("new", LONG);
        scene.read(lastWritten());
        requireNonNull(scene.queues.handOver(KEY, new LeaseRequest.Release(lastToken(), null), false));
        scene.answer(WriteOutcome.APPLIED);
        scene.await("newer", LONG);
        scene.read(lastWritten());

        handOverUntilReleased(lastToken(), 30);
    }

    private void waitInNumbers() {
        for (int i = 0; i < 90; i++) {
            waiting("us-" + i, LONG);
        }
    }

    private Token lastToken() {
        return requireNonNull(lastWritten().grant()).token();
    }

    /** Hands the key over {@code expected} times, until the holder must release it. Returns that holder's token. */
    private Token handOverUntilReleased(Token first, int expected) {
        Token holder = first;
        int handOvers = 0;
        while (scene.queues.handOver(KEY, new LeaseRequest.Release(holder, null), false) != null) {
            scene.answer(WriteOutcome.APPLIED);
            holder = lastToken();
            handOvers++;
        }
        assertThat(handOvers).isEqualTo(expected);
        return holder;
    }

    /** A plain release, and the pause after it. */
    private void release(Token holder) {
        long deadlineNanos = scene.environment.nanos() + SECOND.toNanos();
        var unused = scene.pipeline.pipeline.submit(
                KEY, new LeaseRequest.Release(holder, null), deadlineNanos, new CallWrites(), false);
        scene.answer(WriteOutcome.APPLIED);
        scene.queues.freed(KEY);
        scene.environment.advance(HandOverQuota.PAUSE);
    }

    @Test
    void aNamedHolderIsHandedTheKeyAlsoAfterManyHandOvers() {
        CompletableFuture<Answer> last = waitingAfterAllHandOvers();

        Token holder = requireNonNull(lastWritten().grant()).token();
        LeaseRequest.Release release = new LeaseRequest.Release(holder, Holder.of("last"));
        assertThat(scene.queues.handOver(KEY, release, false)).isNotNull();
        scene.answer(WriteOutcome.APPLIED);

        assertThat(last).isCompletedWithValueMatching(Answer.Applied.class::isInstance);
    }

    /** A request that waits after as many hand-overs in a row as are allowed. */
    private CompletableFuture<Answer> waitingAfterAllHandOvers() {
        for (int i = 0; i < HandOverQuota.FEWEST; i++) {
            waiting("us-" + i, LONG);
        }
        CompletableFuture<Answer> last = waiting("last", LONG);
        for (int i = 0; i < HandOverQuota.FEWEST; i++) {
            Token holder =
                    i == 0 ? HOLDERS : requireNonNull(lastWritten().grant()).token();
            requireNonNull(scene.queues.handOver(KEY, new LeaseRequest.Release(holder, null), false));
            scene.answer(WriteOutcome.APPLIED);
        }
        return last;
    }

    @Test
    void aSlowHandOverIsNotFollowedByAnAttemptAtOnce() {
        waiting("us", LONG);
        CompletableFuture<Answer> next = waiting("next", LONG);
        int before = scene.attempts();
        requireNonNull(handOver(null));

        scene.environment.advance(SECOND.multipliedBy(6));
        scene.answer(WriteOutcome.APPLIED);

        assertThat(next).isNotDone();
        assertThat(scene.attempts()).isEqualTo(before + 1);
    }

    @Test
    void afterAHandOverThatFailedTheQueueAttemptsByItself() {
        CompletableFuture<Answer> waiting = waiting("us", LONG);
        CompletableFuture<Answer> released = requireNonNull(handOver(null));

        scene.conflict(held(2)); // The releaser had lost the key to another holder.

        assertThat(released).isCompletedWithValueMatching(Answer.Refused.class::isInstance);
        assertThat(waiting).isNotDone();
        assertThat(scene.store.reads)
                .as("an attempt, without any time having passed")
                .hasSize(1);
    }

    @Test
    void aStoreThatIsDownFailsTheReleaseAndTheRequestKeepsWaiting() {
        CompletableFuture<Answer> waiting = waiting("us", LONG);
        CompletableFuture<Answer> released = requireNonNull(handOver(null));

        for (int i = 0; i < 100 && !released.isDone(); i++) {
            scene.lastApply().answer().completeExceptionally(StoreException.notApplied("down", null));
            scene.environment.advance(SECOND);
        }

        assertThat(released).isCompletedExceptionally();
        assertThat(waiting).isNotDone();
    }

    @Test
    void aHandOverThatMayHaveBeenAppliedMakesALaterFailureDoubtful() {
        CompletableFuture<Answer> waiting = waiting("us", LONG);
        requireNonNull(handOver(null));
        scene.lastApply().answer().completeExceptionally(StoreException.unknown("no answer", null));
        scene.environment.advance(SECOND);
        scene.conflict(held(2));

        scene.store.reads.get(0).completeExceptionally(StoreException.rejected("no more", null));

        assertThat(waiting)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(StoreException.Effect.UNKNOWN));
    }

    /** The timer of the deadline is late: the answer comes at the same moment, before it. */
    @Test
    void aGrantThatIsHandedOverTooLateIsReleased() {
        scene.environment.schedule(SECOND, () -> scene.answer(WriteOutcome.APPLIED));
        CompletableFuture<Answer> waiting = waiting("us", SECOND);
        CompletableFuture<Answer> released = requireNonNull(handOver(null));

        scene.environment.advance(SECOND);

        assertThat(released).isCompletedWithValueMatching(Answer.Applied.class::isInstance);
        assertThat(waiting)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(StoreException.Effect.UNKNOWN));
        assertThat(lastWritten().state()).isEqualTo(LeaseState.FREE);
    }
}
