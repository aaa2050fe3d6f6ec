package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.service.Answer;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.support.ClientClosedException;
import dev.holdfast.support.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The stages of a request, from its submission to its answer:
 *
 * <pre>
 *   submit --> RequestQueue --> RequestDecider --> AsyncStore.apply --> WriteConclusions --> answer
 *                  ^   group        rules              store                |     |
 *                  |   commit                                               |     |
 *                  +------- StepRunner: read, evict an anchor, retry &lt;------+-----+
 * </pre>
 *
 * <p>Guarantees: a request that fails with {@link Effect#NOT_APPLIED} has had no effect and never will have one. A
 * grant that reaches no caller is released. A refusal rests on the store's answer to a question that was sent after the
 * request began.
 *
 * <p>Thread-safe; never blocks; has no rules.
 */
public final class RequestPipeline implements RequestSubmitter {
    private final RuleSet rules;
    private final PipelineOptions options;
    private final PipelineClock clock;
    private final EntryCache cache;
    private final RetryTimers retryTimers;
    private final DeadlineTimer deadlines;
    private final GrantReleaser releaser;
    private final RequestQueue queue;
    private final RetryingReader reads;
    private volatile boolean closed;

    /** @param onFreed called with each key that a request has freed */
    public RequestPipeline(
            AsyncStore store,
            HostEnvironment environment,
            RuleSet rules,
            PipelineOptions options,
            Consumer<Key> onFreed) {
        this.rules = rules;
        this.options = options;
        this.clock = new PipelineClock(environment);
        this.cache = new EntryCache(options.cacheSize());
        this.retryTimers = new RetryTimers(environment);
        this.deadlines = new DeadlineTimer(environment);
        this.releaser = new GrantReleaser(this, clock, retryTimers, options.operationTimeout());
        BatchReader reader = new BatchReader(store, cache, clock);
        WriteConclusions conclusions =
                new WriteConclusions(rules, cache, clock, options.listener(), options.settleTimeout());
        StepRunner steps = new StepRunner(reader, retryTimers, conclusions, releaser, this, clock, options.listener());
        RequestDecider decider = new RequestDecider(rules, cache, clock, conclusions);
        this.queue = new RequestQueue(store, decider, conclusions, steps, clock, options, onFreed);
        this.reads =
                new RetryingReader(store, reader, cache, clock, deadlines, retryTimers, options.operationTimeout());
    }

    /**
     * Carries out a request that is given up at {@code deadlineNanos}. Its answer comes at the latest when the settle
     * time after that has passed, even if the store never answers. Cancelling the future abandons the request. If it
     * has not been sent, it never will be. If it is granted nevertheless, the grant is released.
     */
    @Override
    public CompletableFuture<Answer> submit(
            Key key, LeaseRequest request, long deadlineNanos, CallWrites writes, boolean callerWaits) {
        rules.features().require(key, request);
        PendingRequest pending =
                new PendingRequest(key, request, writes, clock.nextPlace(), clock.nanos(), deadlineNanos);
        if (closed) {
            pending.future.completeExceptionally(new ClientClosedException());
        } else {
            watch(pending, deadlineNanos);
            queue.submit(pending, callerWaits);
        }
        return pending.future;
    }

    /** Runs {@code submissions}, which submit requests that should be in one batch. They must not block. */
    public void together(Runnable submissions) {
        queue.together(submissions);
    }

    private void watch(PendingRequest pending, long nanos) {
        DeadlineTimer.Deadline deadline = deadlines.watch(nanos, () -> expire(pending));
        Futures.whenDone(pending.future, (answer, error) -> deadline.cancel());
    }

    /** Answers a request after its deadline: immediately if nothing was sent, else after the time for settling it. */
    private void expire(PendingRequest pending) {
        long lastNanos = pending.deadlineNanos + options.settleTimeout().toNanos();
        if (pending.expire()) {
            expired(pending, Effect.NOT_APPLIED);
        } else if (!clock.isOver(lastNanos)) {
            watch(pending, lastNanos);
        } else {
            // The request continues without its caller, in case the store answers after all.
            expired(pending, Effect.UNKNOWN);
        }
    }

    private static void expired(PendingRequest pending, Effect effect) {
        CallbackThread.run(() -> pending.future.completeExceptionally(
                WriteConclusions.failure(pending, WriteConclusions.givenUp(), effect)));
    }

    public PipelineClock clock() {
        return clock;
    }

    public EntryCache cache() {
        return cache;
    }

    /** The releaser of grants that reach no caller. */
    public GrantReleaser releaser() {
        return releaser;
    }

    public RetryingReader reads() {
        return reads;
    }

    public boolean isClosed() {
        return closed;
    }

    /** Fails all later requests, and the pauses between attempts. Requests that were sent to the store get its answer. */
    public void close() {
        closed = true;
        retryTimers.close();
    }
}
