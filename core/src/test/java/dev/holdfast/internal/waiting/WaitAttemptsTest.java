package dev.holdfast.internal.waiting;

import static dev.holdfast.internal.pipeline.PipelineScene.KEY;
import static dev.holdfast.internal.pipeline.PipelineScene.held;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException;
import dev.holdfast.explanation.WaitingLine;
import dev.holdfast.rules.Decision;
import dev.holdfast.service.Answer;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.support.ClientClosedException;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of when a queue attempts to acquire its key, and of the answer to a request that waited. */
@SuppressWarnings("FutureReturnValueIgnored") // Some requests are only there for others to meet them.
class WaitAttemptsTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> ended = new ArrayList<>();
    private final WaitingScene scene = new WaitingScene(new LeaseListener() {
        @Override
        public void onWaitEnded(Key key, long nanos, boolean granted) {
            ended.add(key + " after " + Duration.ofNanos(nanos) + (granted ? ", granted" : ""));
        }
    });

    @Test
    void theNextRequestIsServedByItsOwnAttempt() {
        CompletableFuture<Answer> first = scene.await("one", LONG);
        CompletableFuture<Answer> second = scene.await("two", LONG);
        scene.answer(WriteOutcome.APPLIED);

        assertThat(first).isCompletedWithValueMatching(Answer.Applied.class::isInstance);
        assertThat(second).isNotDone();
    }

    @Test
    void aSlowAttemptIsNotFollowedByAnotherAtOnce() {
        CompletableFuture<Answer> waiting = scene.await("us", LONG);
        scene.conflict(held(1));
        scene.notifyWaiters();
        assertThat(scene.attempts()).isEqualTo(2);

        scene.environment.advance(SECOND.multipliedBy(5));
        scene.read(held(1));

        assertThat(waiting).isNotDone();
        assertThat(scene.attempts()).isEqualTo(2);
    }

    @Test
    void attemptsAreRepeatedAtGrowingIntervals() {
        CompletableFuture<Answer> waiting = scene.await("us", LONG);
        scene.conflict(held(1));

        assertThat(attemptAfterMillis()).isEqualTo(750);
        assertThat(attemptAfterMillis()).isEqualTo(1_500);
        assertThat(attemptAfterMillis()).isEqualTo(3_000);
        assertThat(attemptAfterMillis()).isEqualTo(3_750);
        assertThat(waiting).isNotDone();
    }

    /** Lets time pass until the next attempt, which finds the key unchanged. */
    private long attemptAfterMillis() {
        int before = scene.attempts();
        long millis = 0;
        while (scene.attempts() == before && millis < 100_000) {
            scene.environment.advance(Duration.ofMillis(1));
            millis++;
        }
        scene.read(held(1));
        return millis;
    }

    @Test
    void nothingIsLeftOfAQueueWhoseLastRequestHasLeft() {
        CompletableFuture<Answer> waiting = scene.await("us", LONG);
        scene.conflict(held(1));
        List<ChangeNotifier.WakeUp> lateWakers = List.copyOf(scene.store.wakers);
        scene.environment.advance(Duration.ofMillis(100));

        waiting.cancel(false);

        assertThat(scene.queues.isWaitedFor(KEY)).isFalse();
        assertThat(scene.store.wakers).isEmpty();
        assertThat(scene.environment.timers())
                .as("the one of the pipeline, which serves all its requests")
                .isEqualTo(1);
        lateWakers.forEach(wake -> wake.wake(null));
        scene.environment.advance(LONG);
        assertThat(scene.attempts()).isEqualTo(1);
        assertThat(scene.environment.timers()).isZero();
        assertThat(ended).containsExactly(KEY + " after PT0.1S");
    }

    @Test
    void aWaitEndsAtItsDeadlineWithTheLastRefusal() {
        scene.environment.advance(LONG);
        CompletableFuture<Answer> waiting = scene.await("us", SECOND);
        scene.conflict(held(1));

        scene.environment.advance(SECOND.minusNanos(1));
        assertThat(waiting).isNotDone();
        scene.environment.advance(Duration.ofNanos(1));

        assertThat(waiting).isCompletedWithValueMatching(WaitAttemptsTest::isHeldForAnotherMinute);
        assertThat(ended).containsExactly(KEY + " after PT1S");
    }

    @Test
    void aLineShowsHowLongEachRequestHasWaitedAndWillWait() {
        scene.environment.advance(LONG);
        scene.await("one", LONG);
        scene.environment.advance(SECOND);
        scene.await("two", SECOND.multipliedBy(5));
        scene.environment.advance(SECOND);

        WaitingLine line = scene.queues.line(KEY);

        assertThat(line.total()).isEqualTo(2);
        assertThat(line.first())
                .containsExactly(
                        new WaitingLine.WaitingClient(Holder.of("one"), SECOND.multipliedBy(2), LONG.minusSeconds(2)),
                        new WaitingLine.WaitingClient(Holder.of("two"), SECOND, SECOND.multipliedBy(4)));
        assertThat(scene.queues.line(Key.of("jobs", "other"))).isEqualTo(WaitingLine.EMPTY);
    }

    /** The term of a minute and its margin had begun a second before the store was asked, and one more has passed. */
    private static boolean isHeldForAnotherMinute(Answer answer) {
        return answer instanceof Answer.Refused refused
                && refused.refusal() instanceof Decision.Held heldByAnother
                && heldByAnother.remaining().equals(Duration.ofMillis(58_060));
    }

    @Test
    void aWaitWithoutAnyAnswerLastsAsLongAsAnOperation() {
        CompletableFuture<Answer> waiting = scene.await("us", SECOND);

        scene.environment.advance(WaitingScene.OPERATION_TIMEOUT.minusNanos(1));
        assertThat(waiting).isNotDone();
        scene.conflict(held(1));

        assertThat(waiting).isCompletedWithValueMatching(Answer.Refused.class::isInstance);
    }

    @Test
    void aFailureAfterADoubtfulAttemptIsDoubtfulToo() {
        CompletableFuture<Answer> waiting = scene.await("us", LONG);
        scene.lastApply().answer().completeExceptionally(StoreException.unknown("no answer", null));
        scene.environment.advance(SECOND);
        scene.conflict(held(1));
        assertThat(waiting).isNotDone();

        scene.notifyWaiters();
        scene.store.reads.get(0).completeExceptionally(StoreException.rejected("no more", null));

        assertThat(waiting)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(StoreException.Effect.UNKNOWN))
                .withMessageContaining("an earlier attempt may have been granted");
    }

    @Test
    void aFailureAfterCertainRefusalsIsCertain() {
        CompletableFuture<Answer> waiting = scene.await("us", LONG);
        scene.conflict(held(1));

        scene.notifyWaiters();
        scene.store.reads.get(0).completeExceptionally(StoreException.rejected("no more", null));

        assertThat(waiting)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(StoreException.Effect.NOT_APPLIED));
    }

    @Test
    void aRequestThatArrivesDuringAnAttemptCausesAnotherOne() {
        CompletableFuture<Answer> first = scene.await("one", LONG);
        CompletableFuture<Answer> second = scene.await("two", SECOND);

        scene.conflict(held(1));

        assertThat(scene.attempts())
                .as("the first attempt was sent before the second request")
                .isEqualTo(2);
        scene.read(held(1));
        scene.environment.advance(SECOND);
        assertThat(second).isCompletedWithValueMatching(Answer.Refused.class::isInstance);
        assertThat(first).isNotDone();
    }

    @Test
    void aRefusalOfAnOlderQuestionDoesNotEndTheWaitOfALaterRequest() {
        CompletableFuture<Answer> first = scene.await("one", LONG);
        scene.conflict(held(1));
        CompletableFuture<Answer> second = scene.await("two", SECOND);

        scene.environment.advance(SECOND);
        assertThat(second).as("the store has not answered since it arrived").isNotDone();
        scene.read(held(1));

        assertThat(second).isCompletedWithValueMatching(Answer.Refused.class::isInstance);
        assertThat(first).isNotDone();
    }

    @Test
    void requestsThatTheStoreNeverAnswersFailAfterTheTimeOfAnOperation() {
        CompletableFuture<Answer> first = scene.await("one", SECOND);
        CompletableFuture<Answer> second = scene.await("two", SECOND);

        scene.environment.advance(WaitingScene.OPERATION_TIMEOUT.minusNanos(1));
        assertThat(second).isNotDone();
        scene.environment.advance(Duration.ofNanos(1));

        assertThat(effectOfFailure(second)).isEqualTo(StoreException.Effect.NOT_APPLIED);
        assertThat(first).as("its attempt was sent, and may be granted").isNotDone();
        scene.environment.advance(LONG);
        assertThat(effectOfFailure(first)).isEqualTo(StoreException.Effect.UNKNOWN);
    }

    private static StoreException.Effect effectOfFailure(CompletableFuture<Answer> failed) {
        assertThat(failed).isCompletedExceptionally();
        Throwable cause = failed.handle((answer, error) -> Futures.cause(error)).join();
        return ((StoreException) cause).effect();
    }

    @Test
    void aTimerThatFiresEarlyEndsNoWait() {
        CompletableFuture<Answer> waiting = scene.await("us", LONG);
        scene.conflict(held(1));

        scene.environment.fireEarly();
        assertThat(waiting).isNotDone();
        scene.environment.advance(LONG);

        assertThat(waiting).isCompletedWithValueMatching(Answer.Refused.class::isInstance);
    }

    /** The attempt fails at the moment of the deadline, before the timer of the deadline. */
    @Test
    void aWaitWhoseLastAttemptFailedEndsWithTheRefusalBefore() {
        scene.environment.schedule(
                SECOND, () -> scene.store.reads.get(0).completeExceptionally(StoreException.notApplied("down", null)));
        CompletableFuture<Answer> waiting = scene.await("us", SECOND);
        scene.conflict(held(1));
        scene.notifyWaiters();

        scene.environment.advance(SECOND);

        assertThat(waiting).isCompletedWithValueMatching(WaitAttemptsTest::isHeldForAnotherMinute);
    }

    @Test
    void aClosedClientFailsItsRequestsWithItsOwnException() {
        scene.pipeline.pipeline.close();

        assertThat(scene.await("us", LONG))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(ClientClosedException.class);
        assertThat(scene.queues.isWaitedFor(KEY)).isFalse();
    }

    @Test
    void allRequestsOfAQueueCanBeFailedAtOnce() {
        CompletableFuture<Answer> first = scene.await("one", LONG);
        CompletableFuture<Answer> second = scene.await("two", LONG);

        scene.queues.failAll(new IllegalStateException("closing"));

        assertThat(first).isCompletedExceptionally();
        assertThat(second).isCompletedExceptionally();
        assertThat(scene.queues.isWaitedFor(KEY)).isFalse();
    }

    /** Another call of this process with the same token was granted the key, and its caller lost the answer. */
    @Test
    void aRequestThatHoldsTheKeyAlreadyIsGrantedItAgain() {
        CompletableFuture<Answer> first = scene.await("one", LONG);
        CompletableFuture<Answer> second = scene.await("two", LONG);
        scene.conflict(heldBy("two"));

        assertThat(first).isNotDone();
        scene.answer(WriteOutcome.APPLIED);
        assertThat(second).isCompletedWithValueMatching(Answer.Applied.class::isInstance);
        assertThat(first).isNotDone();
    }

    @Test
    void aGrantOfThisCallIsReleasedIfItsCallerLeavesBeforeItIsDeliveredAgain() {
        CompletableFuture<Answer> waiting = scene.await("two", LONG);
        Entry granted = Objects.requireNonNull(lastWritten());
        letAnotherRequestFind(granted);

        waiting.cancel(false);
        scene.lastApply().answer().completeExceptionally(StoreException.rejected("no more", null));

        assertThat(lastWritten()).isNotNull().matches(it -> it.state() == LeaseState.FREE);
    }

    /** That call may have been answered, so its caller may rely on the grant. */
    @Test
    void aGrantOfAnotherCallWithTheSameTokenIsNotReleased() {
        CompletableFuture<Answer> waiting = scene.await("two", LONG);
        letAnotherRequestFind(heldBy("two"));
        int attempts = scene.attempts();

        waiting.cancel(false);
        scene.lastApply().answer().completeExceptionally(StoreException.rejected("no more", null));

        assertThat(scene.attempts()).isEqualTo(attempts);
    }

    /** The first request doubts its attempt, and then it is the turn of another one, which finds the key held. */
    private void letAnotherRequestFind(Entry held) {
        scene.await("one", LONG);
        scene.lastApply().answer().completeExceptionally(StoreException.unknown("no answer", null));
        scene.environment.advance(SECOND);
        scene.conflict(scene.releasedFor("one"));
        scene.conflict(held);
    }

    private @Nullable Entry lastWritten() {
        return scene.lastApply().changes().get(0).next();
    }

    /** Other requests of this process are in the way of the attempt, so nothing is sent to the store. */
    @Test
    void anAttemptThatIsNotSentIsRepeated() {
        List<CompletableFuture<Answer>> others = scene.fillThePipeline();
        CompletableFuture<Answer> waiting = scene.await("us", LONG);
        assertThat(others).noneMatch(CompletableFuture::isDone);

        scene.answerAll();
        assertThat(waiting).isNotDone();
        scene.environment.advance(SECOND.multipliedBy(2));
        scene.answerAll();

        assertThat(waiting).isCompletedWithValueMatching(Answer.Applied.class::isInstance);
    }

    private static Entry heldBy(String holder) {
        Entry held = held(3);
        Grant grant = Objects.requireNonNull(held.grant());
        return held.renewed(
                held.version(),
                held.fence(),
                grant.withToken(WaitingScene.request(holder).token()),
                held.attributes());
    }
}
