package dev.holdfast.internal.waiting;

import static dev.holdfast.internal.pipeline.PipelineScene.KEY;
import static dev.holdfast.internal.pipeline.PipelineScene.held;
import static dev.holdfast.internal.pipeline.PipelineScene.stored;
import static java.util.Objects.requireNonNull;

import dev.holdfast.AttributePatch;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.Token;
import dev.holdfast.internal.pipeline.CallWrites;
import dev.holdfast.internal.pipeline.PipelineScene;
import dev.holdfast.internal.pipeline.StillEnvironment;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.rules.WriteStamp;
import dev.holdfast.service.Answer;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.Entry;
import dev.holdfast.store.ScriptedStore;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Wait queues on a store and a clock that a test controls. */
final class WaitingScene {
    static final Duration OPERATION_TIMEOUT = Duration.ofSeconds(10);
    private static final Term TERM = Term.ofMillis(60_000);

    final PipelineScene pipeline = new PipelineScene();
    final StillEnvironment environment = pipeline.environment;
    final ScriptedStore store = pipeline.store;
    final WaitQueues queues;

    WaitingScene() {
        this(LeaseListener.NONE);
    }

    WaitingScene(LeaseListener listener) {
        this(listener, true);
    }

    /** @param notified whether the store notifies of releases */
    WaitingScene(LeaseListener listener, boolean notified) {
        Optional<ChangeNotifier> notifier = notified ? store.notifier() : Optional.empty();
        queues = new WaitQueues(pipeline.pipeline, pipeline.rules.validity(), notifier, OPERATION_TIMEOUT, listener);
    }

    static LeaseRequest.Acquire request(String holder) {
        Token token = Token.of(new UUID(0x72, holder.hashCode()));
        return new LeaseRequest.Acquire(token, Holder.of(holder), TERM, AttributePatch.NONE, null);
    }

    CompletableFuture<Answer> await(String holder, Duration wait) {
        return await(KEY, holder, wait);
    }

    CompletableFuture<Answer> await(Key key, String holder, Duration wait) {
        return queues.acquire(key, request(holder), environment.nanos() + wait.toNanos(), false);
    }

    /** Answers the last batch of writes, which has one change: the key is another one now. */
    void conflict(Entry current) {
        answer(WriteOutcome.conflict(stored(current)));
    }

    void answer(WriteOutcome outcome) {
        lastApply().answer().complete(List.of(outcome));
    }

    ScriptedStore.Apply lastApply() {
        return store.applies.get(store.applies.size() - 1);
    }

    /** Submits as many requests for other keys as the pipeline takes. */
    List<CompletableFuture<Answer>> fillThePipeline() {
        List<CompletableFuture<Answer>> submitted = new ArrayList<>();
        while (submitted.isEmpty() || !submitted.get(submitted.size() - 1).isDone()) {
            int number = submitted.size();
            submitted.add(pipeline.pipeline.submit(
                    Key.of("others", "key-" + number),
                    request("other-" + number),
                    environment.nanos() + OPERATION_TIMEOUT.toNanos(),
                    new CallWrites(),
                    false));
        }
        submitted.remove(submitted.size() - 1); // It was rejected.
        return submitted;
    }

    /** Applies all writes, also those that are sent meanwhile. */
    void answerAll() {
        for (int i = 0; i < store.applies.size(); i++) {
            ScriptedStore.Apply apply = store.applies.get(i);
            apply.answer().complete(Collections.nCopies(apply.changes().size(), WriteOutcome.APPLIED));
        }
    }

    /** Answers the last read. */
    void read(Entry current) {
        read(current, Duration.ofSeconds(1));
    }

    /** @param age of the beat */
    void read(Entry current, Duration age) {
        store.reads.get(store.reads.size() - 1).complete(List.of(Optional.of(new StoredEntry(current, age))));
    }

    /** The attempts so far: each begins with a write or a read. */
    int attempts() {
        return store.applies.size() + store.reads.size();
    }

    void notifyWaiters() {
        List.copyOf(store.wakers).forEach(wake -> wake.wake(null));
    }

    /** The key after its holder released it for {@code next}. */
    Entry releasedFor(String next) {
        StoredEntry before = stored(held(1));
        Token token = requireNonNull(before.entry().grant()).token();
        ClockReading now = new ClockReading(environment.nanos(), environment.now());
        Decision decision = pipeline.rules
                .decisions()
                .decide(
                        KEY,
                        new LeaseRequest.Release(token, Holder.of(next)),
                        ObservedEntry.of(before, 1, 2, environment.nanos(), null),
                        null,
                        new WriteStamp(Version.of(new UUID(0x7e, 2)), now, Fence.NONE));
        return requireNonNull(((Decision.Write) decision).change().next());
    }
}
