package dev.holdfast.internal.pipeline;

import static dev.holdfast.internal.pipeline.RequestSteps.acquire;
import static dev.holdfast.internal.pipeline.RequestSteps.assertApplied;
import static dev.holdfast.internal.pipeline.RequestSteps.failure;
import static dev.holdfast.internal.pipeline.RequestSteps.key;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.OverloadedException;
import dev.holdfast.StoreException;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.store.Entry;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of how requests are gathered, sent and answered in batches. */
@SuppressWarnings("FutureReturnValueIgnored") // Some requests are only there for others to meet them.
class RequestBatchesTest {
    private final RequestSteps steps = new RequestSteps();

    private List<CompletableFuture<Answer>> acquireKeys(RequestSteps through, int from, int to) {
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = from; i <= to; i++) {
            answers.add(through.acquireKey(i));
        }
        return answers;
    }

    @Test
    void requestsThatArriveDuringABatchFormTheNextOne() {
        CompletableFuture<Answer> first = steps.acquireKey(1);
        List<CompletableFuture<Answer>> others = acquireKeys(steps, 2, 4);
        assertThat(steps.batchSizes()).containsExactly(1);

        steps.applyLast();
        assertApplied(first);
        assertThat(steps.batchSizes()).containsExactly(1, 3);
        steps.applyLast();

        others.forEach(RequestSteps::assertApplied);
    }

    @Test
    void requestsThatAreSubmittedTogetherFormOneBatch() {
        steps.scene.pipeline.together(() -> acquireKeys(steps, 1, 3));
        assertThat(steps.batchSizes()).containsExactly(3);
        steps.applyLast();

        steps.acquireKey(4);
        assertThat(steps.batchSizes()).as("the group is over").containsExactly(3, 1);
    }

    @Test
    void aGroupOfRequestsThatFailsIsSentAsFarAsItGot() {
        assertThatThrownBy(() -> steps.scene.pipeline.together(() -> {
                    acquireKeys(steps, 1, 2);
                    throw new IllegalArgumentException("the third request");
                }))
                .hasMessage("the third request");
        assertThat(steps.batchSizes()).containsExactly(2);
        steps.applyLast();

        steps.acquireKey(3);
        assertThat(steps.batchSizes()).as("the group is over").containsExactly(2, 1);
    }

    /** Otherwise requests could wait for as long as groups overlap. */
    @Test
    void theEndOfAGroupSendsTheRequestsOfAllGroups() {
        steps.scene.pipeline.together(() -> {
            steps.acquireKey(1);
            steps.scene.pipeline.together(() -> steps.acquireKey(2));
            assertThat(steps.batchSizes()).containsExactly(2);
            steps.acquireKey(3);
            steps.applyLast();
            assertThat(steps.batchSizes()).as("an idle lane waits for no group").containsExactly(2, 1);
        });
    }

    @Test
    void aBatchIsNoLargerThanTheStoreAllows() {
        RequestSteps small = new RequestSteps(1, 3);
        acquireKeys(small, 1, 8);

        small.applyLast();
        small.applyLast();
        small.applyLast();

        assertThat(small.batchSizes()).containsExactly(1, 3, 3, 1);
    }

    @Test
    void lanesShareTheRequestsEvenly() {
        RequestSteps wide = new RequestSteps(2, 100);
        acquireKeys(wide, 1, 10);
        assertThat(wide.batchSizes()).containsExactly(1, 1);

        wide.apply(wide.batch(0));
        wide.apply(wide.batch(1));
        assertThat(wide.batchSizes())
                .as("half of the eight that wait and of the one under way")
                .containsExactly(1, 1, 5, 3);

        wide.apply(wide.batch(2));
        wide.apply(wide.batch(3));
        acquireKeys(wide, 11, 12);
        assertThat(wide.batchSizes()).as("both lanes are idle again").containsExactly(1, 1, 5, 3, 1, 1);
    }

    @Test
    void requestsForOneKeyAreSentOneAfterAnother() {
        CompletableFuture<Answer> grant = steps.submit(key(1), acquire(1));
        CompletableFuture<Answer> release =
                steps.submit(key(1), new LeaseRequest.Release(acquire(1).token()));
        assertThat(steps.batchSizes()).containsExactly(1);

        steps.applyLast();
        assertApplied(grant);
        assertThat(steps.batchSizes()).containsExactly(1, 1);
        steps.applyLast();

        assertApplied(release);
        assertThat(steps.scene.freed).containsExactly(key(1));
    }

    @Test
    void aRequestIsOnlyRefusedByTheAnswerToALaterQuestion() {
        steps.submit(key(1), acquire(1));
        CompletableFuture<Answer> second = steps.submit(key(1), acquire(2));
        Entry granted = requireNonNull(steps.lastChange().next());
        steps.applyLast();

        assertThat(second).isNotDone();
        assertThat(steps.scene.store.keysRead).containsExactly(List.of(key(1)));
        steps.scene.store.reads.get(0).complete(List.of(Optional.of(PipelineScene.stored(granted))));

        assertThat(second).isCompletedWithValueMatching(Answer.Refused.class::isInstance);
    }

    @Test
    void aKeyThatIsNotFreedWakesNoRequests() {
        steps.acquireKey(1);
        steps.applyLast();
        steps.submit(key(1), new LeaseRequest.Release(acquire(1).token()));
        steps.conflictLast(WriteOutcome.conflict(null));

        assertThat(steps.scene.freed).isEmpty();
    }

    @Test
    void aFullQueueRejectsNewGrantsButNoReleases() {
        steps.acquireKey(0);
        List<CompletableFuture<Answer>> waiting = acquireKeys(steps, 1, PipelineScene.QUEUE_LIMIT);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);

        assertThat(steps.acquireKey(1_000))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(OverloadedException.class);
        CompletableFuture<Answer> release =
                steps.submit(key(1_001), new LeaseRequest.Release(acquire(1).token()));
        assertThat(release).isNotDone();

        steps.applyLast();
        assertThat(steps.acquireKey(1_002)).as("there is room again").isNotDone();
    }

    @Test
    void aRejectedBatchIsSplitUntilTheBadRequestIsAlone() {
        steps.acquireKey(0);
        List<CompletableFuture<Answer>> answers = acquireKeys(steps, 1, 3);
        CompletableFuture<Answer> behind =
                steps.submit(key(2), new LeaseRequest.Release(acquire(9).token()));
        steps.applyLast();

        rejectBatchesWith(2);

        assertApplied(answers.get(0));
        assertApplied(answers.get(2));
        assertThat(failure(answers.get(1)).effect()).isEqualTo(StoreException.Effect.NOT_APPLIED);
        assertThat(steps.batchSizes()).containsExactly(1, 3, 1, 2, 1, 1);
        assertThat(behind)
                .as("it reads the key that the bad request did not write")
                .isNotDone();
        assertThat(steps.scene.store.keysRead).containsExactly(List.of(key(2)));
    }

    /** Otherwise a bad request would be sent with more and more others. */
    @Test
    void theHalvesOfARejectedBatchAreSentWithoutOtherRequests() {
        steps.acquireKey(0);
        acquireKeys(steps, 1, 2);
        steps.applyLast();
        CompletableFuture<Answer> other = steps.acquireKey(3);

        steps.failLast(StoreException.rejected("bad row", null));
        assertThat(steps.lastChange().key()).isEqualTo(key(1));
        steps.applyLast();
        assertThat(steps.lastChange().key()).isEqualTo(key(2));
        steps.applyLast();
        assertThat(steps.lastChange().key()).isEqualTo(key(3));
        steps.applyLast();

        assertApplied(other);
    }

    /** Answers all batches. Those that have a change of the key with {@code number} are rejected. */
    private void rejectBatchesWith(int number) {
        for (int i = 1; i < steps.batches(); i++) {
            boolean isBad =
                    steps.batch(i).changes().stream().anyMatch(it -> it.key().equals(key(number)));
            if (isBad) {
                steps.batch(i).answer().completeExceptionally(StoreException.rejected("bad row", null));
            } else {
                steps.apply(steps.batch(i));
            }
        }
    }

    @Test
    void aRequestWhoseCallerHasLeftIsNeverSent() {
        steps.acquireKey(0);
        CompletableFuture<Answer> left = steps.acquireKey(1);
        CompletableFuture<Answer> behind = steps.submit(key(1), acquire(2));

        left.cancel(false);
        steps.applyLast();

        assertThat(steps.lastChange().next())
                .isNotNull()
                .matches(it -> it.isHeldBy(acquire(2).token()));
        steps.applyLast();
        assertApplied(behind);
    }

    @Test
    void onlyARequestThatIsAloneRunsOnTheThreadThatWaitsForIt() {
        long deadlineNanos = PipelineScene.OPERATION_TIMEOUT.toNanos();
        CompletableFuture<Answer> alone =
                steps.scene.pipeline.submit(key(1), acquire(1), deadlineNanos, new CallWrites(), true);
        assertThat(steps.lastBatch().callerWaits()).isTrue();
        CompletableFuture<Answer> second =
                steps.scene.pipeline.submit(key(2), acquire(2), deadlineNanos, new CallWrites(), true);
        steps.applyLast();

        assertApplied(alone);
        assertThat(steps.lastBatch().callerWaits()).as("sent by another thread").isFalse();
        steps.applyLast();
        assertApplied(second);
        steps.acquireKey(3);
        assertThat(steps.lastBatch().callerWaits()).isFalse();
    }

    @Test
    void anAnswerOfTheWrongLengthIsAFailureOfTheStore() {
        CompletableFuture<Answer> answer = steps.acquireKey(1);

        steps.lastBatch().answer().complete(List.of());
        steps.advance(Duration.ofSeconds(1));
        assertThat(steps.batches()).as("sent again").isEqualTo(2);
        steps.applyLast();

        assertApplied(answer);
    }

    @Test
    void theListenerIsNotifiedOfBatchesAndOfTheQueue() {
        steps.advance(Duration.ofSeconds(7));
        steps.acquireKey(1);
        acquireKeys(steps, 2, 3);
        steps.advance(Duration.ofSeconds(1));
        steps.applyLast();
        steps.advance(Duration.ofSeconds(2));
        steps.applyLast();

        assertThat(steps.events)
                .containsExactly(
                        "batch of 1 in PT1S",
                        "waiting: 2",
                        "answered key-1 in PT1S",
                        "batch of 2 in PT2S",
                        "waiting: 0",
                        "answered key-2 in PT3S",
                        "answered key-3 in PT3S");
    }
}
