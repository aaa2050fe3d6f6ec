package dev.holdfast.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.store.Change;
import dev.holdfast.store.ScriptedStore;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The steps of tests that send requests through a pipeline and answer for its store. */
final class RequestSteps {
    final List<String> events = new ArrayList<>();
    final PipelineScene scene;

    RequestSteps() {
        this(1, 100);
    }

    RequestSteps(int lanes, int batchLimit) {
        scene = new PipelineScene(new ScriptedStore(lanes, batchLimit), new NotingListener(events));
    }

    static Key key(int number) {
        return Key.of("jobs", "key-" + number);
    }

    static LeaseRequest.Acquire acquire(int number) {
        Token token = Token.of(new UUID(0x73, number));
        return new LeaseRequest.Acquire(token, Holder.of("us"), PipelineScene.TERM, AttributePatch.NONE, null);
    }

    CompletableFuture<Answer> submit(Key key, LeaseRequest request) {
        return submit(key, request, PipelineScene.OPERATION_TIMEOUT);
    }

    CompletableFuture<Answer> submit(Key key, LeaseRequest request, Duration timeout) {
        long deadlineNanos = scene.environment.nanos() + timeout.toNanos();
        return scene.pipeline.submit(key, request, deadlineNanos, new CallWrites(), false);
    }

    CompletableFuture<Answer> acquireKey(int number) {
        return submit(key(number), acquire(number));
    }

    int batches() {
        return scene.store.applies.size();
    }

    ScriptedStore.Apply batch(int number) {
        return scene.store.applies.get(number);
    }

    ScriptedStore.Apply lastBatch() {
        return batch(batches() - 1);
    }

    List<Integer> batchSizes() {
        return scene.store.applies.stream().map(it -> it.changes().size()).toList();
    }

    /** The only change of the last batch. */
    Change lastChange() {
        assertThat(lastBatch().changes()).hasSize(1);
        return lastBatch().changes().get(0);
    }

    void apply(ScriptedStore.Apply batch) {
        batch.answer().complete(Collections.nCopies(batch.changes().size(), WriteOutcome.APPLIED));
    }

    void applyLast() {
        apply(lastBatch());
    }

    void conflictLast(WriteOutcome conflict) {
        lastBatch().answer().complete(List.of(conflict));
    }

    void failLast(StoreException failure) {
        lastBatch().answer().completeExceptionally(failure);
    }

    void advance(Duration time) {
        scene.environment.advance(time);
    }

    static void assertApplied(CompletableFuture<Answer> answer) {
        assertThat(answer).isCompletedWithValueMatching(Answer.Applied.class::isInstance);
    }

    static Answer.Applied applied(CompletableFuture<Answer> answer) {
        assertApplied(answer);
        return (Answer.Applied) answer.join();
    }

    static StoreException failure(CompletableFuture<Answer> failed) {
        assertThat(failed).isCompletedExceptionally();
        Throwable cause = failed.handle((answer, error) -> Futures.cause(error)).join();
        assertThat(cause).isInstanceOf(StoreException.class);
        return (StoreException) cause;
    }

    private record NotingListener(List<String> events) implements LeaseListener {
        @Override
        public void onBatch(int changes, long nanos) {
            events.add("batch of " + changes + " in " + Duration.ofNanos(nanos));
        }

        @Override
        public void onQueue(int waiting) {
            events.add("waiting: " + waiting);
        }

        @Override
        public void onConflict(Key key) {
            events.add("conflict: " + key.name());
        }

        @Override
        public void onRetry(Key key, int attempt, StoreException cause) {
            events.add("retry " + attempt + ": " + cause.getMessage());
        }

        @Override
        public void onEvicted(Key key, String why) {
            events.add("evicted " + key.name() + ": " + why);
        }

        @Override
        public void onAnswered(Key key, long nanos) {
            events.add("answered " + key.name() + " in " + Duration.ofNanos(nanos));
        }
    }
}
