package dev.holdfast.internal.pipeline;

import static dev.holdfast.internal.pipeline.PipelineScene.KEY;
import static dev.holdfast.internal.pipeline.PipelineScene.OPERATION_TIMEOUT;
import static dev.holdfast.internal.pipeline.PipelineScene.SETTLE_TIMEOUT;
import static dev.holdfast.internal.pipeline.PipelineScene.held;
import static dev.holdfast.internal.pipeline.PipelineScene.stored;
import static dev.holdfast.internal.pipeline.RequestSteps.acquire;
import static dev.holdfast.internal.pipeline.RequestSteps.applied;
import static dev.holdfast.internal.pipeline.RequestSteps.assertApplied;
import static dev.holdfast.internal.pipeline.RequestSteps.failure;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributePatch;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Term;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of the answer to a request: after conflicts, failures, lost answers and late ones. */
@SuppressWarnings("FutureReturnValueIgnored") // Some requests are only there for others to meet them.
class RequestOutcomesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    /** Before the first retry, with the random number of the environment. */
    private static final Duration FIRST_DELAY = Duration.ofNanos(7_500_000);

    private final RequestSteps steps = new RequestSteps();

    private CompletableFuture<Answer> acquireKey() {
        return steps.submit(KEY, acquire(1));
    }

    private void loseAnswer() {
        steps.failLast(StoreException.unknown("no answer", null));
    }

    /** Loses the answers to all sends of a change, until another one is sent: the bar. */
    private void loseAnswersUntilGivenUp() {
        Change change = steps.lastChange();
        for (int i = 0; i < 30 && steps.lastChange().equals(change); i++) {
            loseAnswer();
            steps.advance(SECOND);
        }
        assertThat(steps.lastChange()).isNotEqualTo(change);
    }

    private Entry lastWritten() {
        return requireNonNull(steps.lastChange().next());
    }

    @Test
    void aTermBeginsWithTheFirstSendAlsoIfAnotherOneIsAnswered() {
        CompletableFuture<Answer> answer = acquireKey();
        Change change = steps.lastChange();
        steps.advance(SECOND);
        loseAnswer();
        steps.advance(SECOND);

        assertThat(steps.lastChange()).as("the same change is sent again").isEqualTo(change);
        steps.advance(SECOND);
        steps.applyLast();

        Answer.Applied applied = applied(answer);
        assertThat(applied.firstSent().nanos()).isZero();
        assertThat(applied.lastSent().nanos()).isBetween(SECOND.toNanos() + 1, 2 * SECOND.toNanos());
        assertThat(applied.answered().nanos()).isEqualTo(3 * SECOND.toNanos());
    }

    @Test
    void aConflictThatShowsTheOwnWriteIsASuccess() {
        CompletableFuture<Answer> answer = acquireKey();
        Entry own = lastWritten();
        loseAnswer();
        steps.advance(SECOND);

        steps.conflictLast(WriteOutcome.conflict(stored(own)));

        assertThat(applied(answer).entry()).isEqualTo(own);
    }

    @Test
    void aConflictIsDecidedAgainWithTheEntryThatItShows() {
        CompletableFuture<Answer> answer = acquireKey();
        Entry free = held(1).freed(PipelineScene.version(2));
        steps.conflictLast(WriteOutcome.conflict(stored(free)));

        assertThat(steps.lastChange().expected()).isEqualTo(free.version());
        steps.applyLast();

        assertApplied(answer);
        assertThat(steps.events).contains("conflict: nightly");
    }

    @Test
    void aFloorOfTheStoreIsBelowTheNextFence() {
        CompletableFuture<Answer> answer = acquireKey();
        Fence floor = Fence.of(Long.MAX_VALUE / 2);
        steps.conflictLast(new WriteOutcome.Conflict(null, floor));
        assertThat(lastWritten().fence().isAbove(floor)).isTrue();

        steps.conflictLast(new WriteOutcome.Conflict(null, Fence.of(7)));
        assertThat(lastWritten().fence().isAbove(floor))
                .as("the highest floor counts")
                .isTrue();
        steps.applyLast();

        assertApplied(answer);
    }

    @Test
    void aRequestThatWasNotSentFailsAtItsDeadlineAndIsNeverSent() {
        steps.acquireKey(0);
        CompletableFuture<Answer> answer = steps.submit(KEY, acquire(1), SECOND);

        steps.advance(SECOND.minusNanos(1));
        assertThat(answer).isNotDone();
        steps.advance(Duration.ofNanos(1));
        assertThat(failure(answer).effect()).isEqualTo(Effect.NOT_APPLIED);
        steps.applyLast();

        assertThat(steps.batches()).isEqualTo(1);
    }

    @Test
    void aRequestThatWasSentHasTimeToBeSettledAfterItsDeadline() {
        CompletableFuture<Answer> answer = acquireKey();

        steps.advance(OPERATION_TIMEOUT.plus(SETTLE_TIMEOUT).minusNanos(1));
        assertThat(answer).isNotDone();
        steps.advance(Duration.ofNanos(1));

        assertThat(failure(answer).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(failure(answer))
                .hasMessageContaining("may have been applied")
                .hasMessageContaining("no answer in time");
    }

    @Test
    void aGrantThatNoCallerWaitsForIsReleased() {
        CompletableFuture<Answer> answer = acquireKey();
        steps.advance(OPERATION_TIMEOUT.plus(SETTLE_TIMEOUT));
        assertThat(answer).isCompletedExceptionally();

        steps.applyLast();

        assertThat(steps.batches()).isEqualTo(2);
        assertThat(lastWritten().state()).isEqualTo(LeaseState.FREE);
    }

    @Test
    void aGrantAtTheDeadlineIsReleasedAndReportedAsDoubtful() {
        CompletableFuture<Answer> answer = acquireKey();
        steps.advance(OPERATION_TIMEOUT);

        steps.applyLast();

        assertThat(failure(answer).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(failure(answer)).hasMessageContaining("too late");
        assertThat(lastWritten().state()).isEqualTo(LeaseState.FREE);
    }

    @Test
    void aGrantWhoseAnswersTakeLongerThanItsTermIsGivenUpAtTheThird() {
        LeaseRequest.Acquire usual = acquire(1);
        CompletableFuture<Answer> answer = steps.submit(
                KEY,
                new LeaseRequest.Acquire(
                        usual.token(), usual.holder(), Term.ofMillis(1_000), AttributePatch.NONE, null));
        for (int i = 1; i <= 3; i++) {
            assertThat(answer).isNotDone();
            assertThat(lastWritten().state()).isEqualTo(LeaseState.HELD);
            assertThat(steps.batches()).isEqualTo(i);
            steps.advance(SECOND.multipliedBy(2));
            steps.applyLast();
        }

        assertThat(failure(answer)).hasMessageContaining("too late");
        assertThat(steps.batches()).isEqualTo(4);
        assertThat(lastWritten().state()).isEqualTo(LeaseState.FREE);
    }

    @Test
    void aRefusalAfterALateGrantStatesThatThereWasOne() {
        LeaseRequest.Acquire usual = acquire(2);
        CompletableFuture<Answer> late = steps.submit(
                KEY,
                new LeaseRequest.Acquire(
                        usual.token(), usual.holder(), Term.ofMillis(1_000), AttributePatch.NONE, null));
        steps.advance(SECOND.multipliedBy(2));
        steps.applyLast();

        steps.conflictLast(WriteOutcome.conflict(stored(held(1))));

        assertThat(late)
                .isCompletedWithValueMatching(it -> it instanceof Answer.Refused refused && refused.uncertain());
    }

    @Test
    void aGrantUnderAnAnchorIsNotLateByItsOwnTerm() {
        LeaseRequest.Acquire usual = acquire(1);
        AnchorRef anchor = new AnchorRef(Key.ofAnchor(usual.holder()), Fence.of(7));
        CompletableFuture<Answer> answer = steps.submit(KEY, usual.under(anchor, Term.ofMillis(1_000)));

        steps.advance(SECOND.multipliedBy(2));
        steps.applyLast();

        assertApplied(answer);
        assertThat(steps.batches()).isEqualTo(1);
    }

    @Test
    void aRequestIsNotRetriedAtItsDeadline() {
        CompletableFuture<Answer> answer = acquireKey();
        steps.advance(OPERATION_TIMEOUT.minus(FIRST_DELAY));

        steps.failLast(StoreException.notApplied("busy", null));

        assertThat(failure(answer).effect()).isEqualTo(Effect.NOT_APPLIED);
    }

    @Test
    void aDoubtfulRequestThatIsNotRetriedIsBarred() {
        CompletableFuture<Answer> answer = acquireKey();
        Entry doubtful = lastWritten();
        steps.advance(OPERATION_TIMEOUT.minus(FIRST_DELAY));

        loseAnswer();
        assertThat(answer).isNotDone();
        steps.advance(FIRST_DELAY);

        assertThat(lastWritten().version()).isNotEqualTo(doubtful.version());
    }

    @Test
    void aGrantJustBeforeTheDeadlineIsDelivered() {
        CompletableFuture<Answer> answer = acquireKey();
        steps.advance(OPERATION_TIMEOUT.minusNanos(1));

        steps.applyLast();

        assertApplied(answer);
        assertThat(steps.batches()).isEqualTo(1);
    }

    @Test
    void aReleaseIsReportedEvenIfItsAnswerIsLate() {
        steps.submit(KEY, acquire(1));
        steps.applyLast();
        CompletableFuture<Answer> release =
                steps.submit(KEY, new LeaseRequest.Release(acquire(1).token()));
        steps.advance(OPERATION_TIMEOUT);

        steps.applyLast();

        assertApplied(release);
    }

    /** The bar has the version that the lost write expected, so that write can never be applied. */
    @Test
    void aDoubtfulGrantThatIsGivenUpIsBarred() {
        CompletableFuture<Answer> answer = acquireKey();
        Entry doubtful = lastWritten();
        loseAnswersUntilGivenUp();

        assertThat(answer).isNotDone();
        assertThat(lastWritten().version()).isNotEqualTo(doubtful.version());
        assertThat(lastWritten().grant()).as("of the bar").isNull();
        steps.applyLast();

        assertThat(failure(answer).effect()).isEqualTo(Effect.NOT_APPLIED);
    }

    @Test
    void aBarThatFindsTheGrantAppliedReleasesIt() {
        CompletableFuture<Answer> answer = acquireKey();
        Entry doubtful = lastWritten();
        loseAnswersUntilGivenUp();

        steps.conflictLast(WriteOutcome.conflict(stored(doubtful)));

        assertThat(failure(answer).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(lastWritten().state()).isEqualTo(LeaseState.FREE);
    }

    @Test
    void aBarThatFindsAnotherHolderLeavesTheDoubt() {
        CompletableFuture<Answer> answer = acquireKey();
        loseAnswersUntilGivenUp();
        int sent = steps.batches();

        steps.conflictLast(WriteOutcome.conflict(stored(held(1))));

        assertThat(failure(answer).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(steps.batches()).isEqualTo(sent);
    }

    @Test
    void aBarBelowTheFloorIsSentAgainAboveIt() {
        CompletableFuture<Answer> answer = acquireKey();
        loseAnswersUntilGivenUp();
        Fence floor = Fence.of(Long.MAX_VALUE / 2);

        steps.conflictLast(new WriteOutcome.Conflict(null, floor));

        assertThat(lastWritten().fence().isAbove(floor)).isTrue();
        steps.applyLast();
        assertThat(failure(answer).effect()).isEqualTo(Effect.NOT_APPLIED);
    }

    @Test
    void aDoubtfulRequestWhoseCallerHasLeftIsBarredByOneChange() {
        CompletableFuture<Answer> answer = acquireKey();
        Entry doubtful = lastWritten();
        loseAnswer();
        answer.cancel(false);
        steps.advance(SECOND);

        Change bar = steps.lastChange();
        assertThat(lastWritten().version()).isNotEqualTo(doubtful.version());
        assertThat(lastWritten().grant()).isNull();
        loseAnswer();
        steps.advance(SECOND);

        assertThat(steps.lastChange())
                .as("the same bar, as it may have been applied")
                .isEqualTo(bar);
    }

    @Test
    void requestsThatAreSentAgainAreCountedOnce() {
        acquireKey();
        loseAnswersUntilGivenUp();
        steps.conflictLast(new WriteOutcome.Conflict(null, Fence.of(7)));
        steps.applyLast();

        assertThat(steps.events).filteredOn(it -> it.startsWith("waiting")).containsOnly("waiting: 0");
    }

    @Test
    void aDoubtThatIsNeverSettledEndsWithTheTimeForIt() {
        CompletableFuture<Answer> answer = acquireKey();
        for (int i = 0; i < 60 && !answer.isDone(); i++) {
            loseAnswer();
            steps.advance(Duration.ofMillis(500));
        }

        assertThat(failure(answer).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(Duration.ofNanos(steps.scene.environment.nanos()))
                .isBetween(
                        OPERATION_TIMEOUT.plus(SETTLE_TIMEOUT).minus(SECOND.multipliedBy(2)),
                        OPERATION_TIMEOUT.plus(SETTLE_TIMEOUT).plus(SECOND));
    }

    @Test
    void anUpdateThatMayHaveBeenAppliedIsNotRepeatedOnAChangedKey() {
        steps.submit(KEY, acquire(1));
        Entry granted = lastWritten();
        steps.applyLast();
        CompletableFuture<Answer> update =
                steps.submit(KEY, new LeaseRequest.Update(acquire(1).token(), AttributePatch.putting("a", 1)));
        loseAnswer();
        steps.advance(SECOND);

        steps.conflictLast(WriteOutcome.conflict(stored(granted.withVersion(PipelineScene.version(9)))));

        assertThat(failure(update).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(steps.batches()).isEqualTo(3);
    }

    /** The key may have been done, reopened, and granted to another holder. */
    @Test
    void aDoneThatMayHaveBeenAppliedAndUndoneIsNotReportedAsLost() {
        steps.submit(KEY, acquire(1));
        steps.applyLast();
        CompletableFuture<Answer> done =
                steps.submit(KEY, new LeaseRequest.Done(acquire(1).token(), AttributePatch.NONE));
        loseAnswer();
        steps.advance(SECOND);

        steps.conflictLast(WriteOutcome.conflict(stored(held(2))));

        assertThat(failure(done).effect()).isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void aDoneThatWasNeverAppliedIsReportedAsLost() {
        steps.submit(KEY, acquire(1));
        steps.applyLast();
        CompletableFuture<Answer> done =
                steps.submit(KEY, new LeaseRequest.Done(acquire(1).token(), AttributePatch.NONE));

        steps.conflictLast(WriteOutcome.conflict(stored(held(2))));

        assertThat(done)
                .isCompletedWithValueMatching(
                        it -> it instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Lost);
    }

    @Test
    void aRefusalAfterADoubtfulWriteStatesTheDoubt() {
        CompletableFuture<Answer> answer = acquireKey();
        loseAnswer();
        steps.advance(SECOND);

        steps.conflictLast(WriteOutcome.conflict(stored(held(1))));

        assertThat(answer)
                .isCompletedWithValueMatching(it -> it instanceof Answer.Refused refused
                        && refused.uncertain()
                        && refused.refusal() instanceof Decision.Held);
    }

    @Test
    void aRefusalWithoutADoubtfulWriteIsCertain() {
        CompletableFuture<Answer> answer = acquireKey();
        steps.failLast(StoreException.notApplied("busy", null));
        steps.advance(SECOND);

        steps.conflictLast(WriteOutcome.conflict(stored(held(1))));

        assertThat(answer)
                .isCompletedWithValueMatching(it -> it instanceof Answer.Refused refused && !refused.uncertain());
    }

    @Test
    void retriesAreReportedAndComeAtGrowingIntervals() {
        acquireKey();
        for (int i = 0; i < 3; i++) {
            steps.failLast(StoreException.notApplied("busy", null));
            steps.advance(SECOND);
        }

        assertThat(steps.events).contains("retry 1: busy", "retry 2: busy", "retry 3: busy");
        assertThat(steps.batches()).isEqualTo(4);
    }

    @Test
    void aFailureWithoutAnyHopeIsReportedAtOnce() {
        CompletableFuture<Answer> answer = acquireKey();

        steps.failLast(StoreException.rejected("never", null));

        assertThat(failure(answer).effect()).isEqualTo(Effect.NOT_APPLIED);
        assertThat(failure(answer)).hasMessageContaining("the request was not applied (never)");
        assertThat(steps.events).noneMatch(it -> it.startsWith("retry"));
    }

    @Test
    void oneFailedChangeDoesNotFailItsBatch() {
        steps.acquireKey(0);
        CompletableFuture<Answer> failed = steps.acquireKey(1);
        CompletableFuture<Answer> fine = steps.acquireKey(2);
        steps.applyLast();

        steps.lastBatch()
                .answer()
                .complete(List.of(new WriteOutcome.Failed(StoreException.rejected("bad", null)), WriteOutcome.APPLIED));

        assertThat(failure(failed).effect()).isEqualTo(Effect.NOT_APPLIED);
        assertApplied(fine);
    }

    @Test
    void aRequestThatMeetsConflictsUntilItsDeadlineIsNotApplied() {
        CompletableFuture<Answer> answer = acquireKey();
        steps.advance(OPERATION_TIMEOUT);

        steps.conflictLast(WriteOutcome.conflict(stored(held(1).freed(PipelineScene.version(5)))));

        assertThat(failure(answer).effect()).isEqualTo(Effect.NOT_APPLIED);
        assertThat(steps.batches()).isEqualTo(1);
    }

    @Test
    void aRenewalReadsTheKeyFirstAndIsThenDecided() {
        CompletableFuture<Answer> renewal = steps.submit(
                KEY, new LeaseRequest.Renew(requireNonNull(held(1).grant()).token(), null, AttributePatch.NONE));
        assertThat(steps.batches()).isZero();

        steps.scene.store.reads.get(0).complete(List.of(Optional.of(stored(held(1)))));
        assertThat(steps.lastChange().expected()).isEqualTo(held(1).version());
        steps.applyLast();

        assertApplied(renewal);
    }

    @Test
    void aFailedReadIsRepeated() {
        CompletableFuture<Answer> renewal = steps.submit(
                KEY, new LeaseRequest.Renew(requireNonNull(held(1).grant()).token(), null, AttributePatch.NONE));

        steps.scene.store.reads.get(0).completeExceptionally(StoreException.notApplied("busy", null));
        steps.advance(SECOND);
        assertThat(steps.scene.store.reads).hasSize(2);
        steps.scene.store.reads.get(1).complete(List.of(Optional.empty()));

        assertThat(renewal)
                .isCompletedWithValueMatching(
                        it -> it instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Lost);
    }

    @Test
    void closingAbortsTheRequestsThatWaitForTheirNextAttempt() {
        CompletableFuture<Answer> answer = acquireKey();
        CompletableFuture<Answer> behind = steps.submit(KEY, acquire(2));
        loseAnswer();

        steps.scene.pipeline.close();

        assertThat(steps.scene.pipeline.isClosed()).isTrue();
        assertThat(answer).isCompletedExceptionally();
        assertThat(steps.batches()).as("the request behind it is sent").isEqualTo(2);
        steps.applyLast();
        assertApplied(behind);
        assertThat(steps.acquireKey(5)).as("after the close").isCompletedExceptionally();
    }
}
