package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.Token;
import dev.holdfast.internal.waiting.WaitQueues;
import dev.holdfast.rules.FeatureRules;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.Entry;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.Term;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.support.ClientClosedException;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

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
public final class RequestPipeline implements LeaseService, RequestSubmitter {
    private final RuleSet rules;
    private final PipelineOptions options;
    private final PipelineClock clock;
    private final EntryCache cache;
    private final RetryTimers retryTimers;
    private final DeadlineTimer deadlines;
    private final GrantReleaser releaser;
    private final WaitQueues waitQueues;
    private final RequestQueue queue;
    private final StatusReader statuses;
    private volatile boolean closed;

    public RequestPipeline(AsyncStore store, HostEnvironment environment, RuleSet rules, PipelineOptions options) {
        this.rules = rules;
        this.options = options;
        this.clock = new PipelineClock(environment);
        this.cache = new EntryCache(options.cacheSize());
        this.retryTimers = new RetryTimers(environment);
        this.deadlines = new DeadlineTimer(environment);
        this.releaser = new GrantReleaser(this, clock, retryTimers, options.operationTimeout());
        this.waitQueues = new WaitQueues(
                this, releaser, cache, clock, rules.validity(), store.notifier(), options.operationTimeout());
        BatchReader reader = new BatchReader(store, cache, clock);
        WriteConclusions conclusions =
                new WriteConclusions(rules, cache, clock, options.listener(), options.settleTimeout());
        StepRunner steps = new StepRunner(reader, retryTimers, conclusions, releaser, this, clock, options.listener());
        RequestDecider decider = new RequestDecider(rules, cache, clock, conclusions);
        this.queue = new RequestQueue(store, decider, conclusions, steps, clock, options, waitQueues::freed);
        this.statuses = new StatusReader(
                store, reader, cache, clock, rules.decisions(), deadlines, retryTimers, options.operationTimeout());
    }

    @Override
    public CompletableFuture<Answer> submit(Key key, LeaseRequest request) {
        return submit(key, request, nanos() + options.operationTimeout().toNanos());
    }

    /**
     * Carries out a request that is given up at {@code deadlineNanos}. Its answer comes at the latest when the settle
     * time after that has passed, even if the store never answers. Cancelling the future abandons the request. If it
     * has not been sent, it never will be. If it is granted nevertheless, the grant is released.
     */
    @Override
    public CompletableFuture<Answer> submit(Key key, LeaseRequest request, long deadlineNanos) {
        return submit(key, request, deadlineNanos, new CallWrites());
    }

    @Override
    public CompletableFuture<Answer> submit(Key key, LeaseRequest request, long deadlineNanos, CallWrites writes) {
        rules.features().require(key, request);
        PendingRequest pending =
                new PendingRequest(key, request, writes, clock.nextPlace(), clock.nanos(), deadlineNanos);
        if (closed) {
            pending.future.completeExceptionally(new ClientClosedException());
        } else {
            watch(pending, deadlineNanos);
            queue.submit(pending);
        }
        return pending.future;
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

    @Override
    public CompletableFuture<Answer> tryOnce(Key key, LeaseRequest.Acquire request) {
        return waitQueues.isWaitedFor(key) ? await(key, request, nanos()) : submit(key, request);
    }

    @Override
    public CompletableFuture<Answer> release(Key key, Token token) {
        CompletableFuture<Answer> handedOver = closed ? null : waitQueues.handOver(key, token);
        return handedOver == null ? submit(key, new LeaseRequest.Release(token)) : handedOver;
    }

    /**
     * Waits for a grant until {@code deadlineNanos}; then the answer is the last refusal. The waiting requests for one
     * key are granted it in order of arrival. Cancelling the future removes the request from the queue.
     */
    @Override
    public CompletableFuture<Answer> await(Key key, LeaseRequest.Acquire request, long deadlineNanos) {
        rules.features().require(key, request);
        return waitQueues.acquire(key, request, deadlineNanos);
    }

    @Override
    public CompletableFuture<Answer> evict(Key key, String reason) {
        return submit(key, new LeaseRequest.EvictByForce());
    }

    /** Releases a grant whose caller has left, unless it was renewed, or granted again to the same token, since. */
    public CompletionStage<Void> releaseUndelivered(Entry granted) {
        return releaser.release(granted);
    }

    /** The rest of the term of the holder with {@code token}, as far as this client knows; null if it does not. */
    public @Nullable Duration left(Key key, Token token) {
        ObservedEntry seen = cache.get(key);
        Entry entry = seen == null ? null : seen.entry();
        if (seen == null || entry == null || entry.grant() == null || !entry.isHeldBy(token)) {
            return null;
        }
        return entry.grant().term().duration().minusNanos(nanos() - seen.beatSeenNanos());
    }

    /** The entry of {@code key} as this client last saw it; null if it has no entry, or was not read. */
    public @Nullable Entry lastSeen(Key key) {
        ObservedEntry seen = cache.get(key);
        return seen == null ? null : seen.entry();
    }

    public StatusReader statuses() {
        return statuses;
    }

    @Override
    public void endWaiting() {
        waitQueues.failAll(ClientClosedException.underWay());
    }

    /** Fails all waiting requests, and all later ones. Requests that were sent to the store still get its answer. */
    public void close() {
        closed = true;
        endWaiting();
        retryTimers.close();
    }

    @Override
    public ValidityRules validity() {
        return rules.validity();
    }

    @Override
    public FeatureRules features() {
        return rules.features();
    }

    @Override
    public Duration patience(Term term) {
        return rules.expiry().patience(term);
    }

    @Override
    public HostEnvironment environment() {
        return clock.environment();
    }

    @Override
    public LeaseListener listener() {
        return options.listener();
    }
}
