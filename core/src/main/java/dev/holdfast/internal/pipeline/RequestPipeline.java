package dev.holdfast.internal.pipeline;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.Term;
import dev.holdfast.Token;
import dev.holdfast.internal.ClientClosedException;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.rules.FeatureRules;
import dev.holdfast.internal.rules.LeaseRequest;
import dev.holdfast.internal.rules.ObservedEntry;
import dev.holdfast.internal.rules.RuleSet;
import dev.holdfast.internal.rules.ValidityRules;
import dev.holdfast.internal.rules.WriteStamp;
import dev.holdfast.internal.waiting.WaitQueues;
import dev.holdfast.store.Entry;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.Version;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Carries requests to their answers: decides them by the rules, sends what was decided, looks again after a conflict,
 * sends again what got no answer, and settles what it gives up.
 *
 * <p>What it guarantees: a request that fails with {@link Effect#NOT_APPLIED} has had no effect and never will; a grant
 * that nobody waits for any more is given back; a refusal rests on what the store answered after the request began.
 *
 * <p>Thread-safe; never blocks; has no rules.
 */
public final class RequestPipeline implements LeaseRequests {
    /** Batches at once of a store that never blocks: its calls run on the callers' threads, and a few do not wait. */
    private static final int INLINE_LANES = 4;

    private final AsyncStore port;
    private final HostEnvironment hostEnvironment;
    private final RuleSet book;
    private final PipelineOptions options;
    private final EntryCache cache;
    private final RequestQueue requestQueue;
    private final OutcomeHandler outcomeHandler = new OutcomeHandler(this);
    private final RequestDecider requestDecider = new RequestDecider(this, outcomeHandler);
    private final BatchReader batchReader;
    private final WaitQueues waitQueues = new WaitQueues(this);
    private final AtomicLong places = new AtomicLong();
    private final RetryTimers retryTimers;
    private final DeadlineTimer deadlineTimer;
    private volatile boolean closed;

    public RequestPipeline(AsyncStore port, HostEnvironment hostEnvironment, RuleSet book, PipelineOptions options) {
        StoreTraits traits = port.traits();
        this.port = port;
        this.hostEnvironment = hostEnvironment;
        this.book = book;
        this.options = options;
        this.retryTimers = new RetryTimers(hostEnvironment);
        this.deadlineTimer = new DeadlineTimer(hostEnvironment);
        this.cache = new EntryCache(options.cacheSize());
        this.batchReader = new BatchReader(this, traits.batchLimit());
        int count = traits.lanes() == 0 ? INLINE_LANES : traits.lanes();
        this.requestQueue = new RequestQueue(this, count, traits.batchLimit(), options.queueLimit());
    }

    @Override
    public CompletableFuture<Answer> submit(Key key, LeaseRequest leaseRequest) {
        return submit(key, leaseRequest, nanos() + operationTimeoutNanos());
    }

    /**
     * Carries out a request that is given up at {@code deadlineNanos}. It is answered within the settle time after that
     * at the latest, whatever the store does. Cancelling the future abandons the request: if
     * it has not been sent it never will be, and if it is a grant that comes all the same it is given back.
     */
    @Override
    public CompletableFuture<Answer> submit(Key key, LeaseRequest leaseRequest, long deadlineNanos) {
        return submit(key, leaseRequest, deadlineNanos, new CallWrites());
    }

    /** The same, for one of several attempts of a call. */
    public CompletableFuture<Answer> submit(Key key, LeaseRequest leaseRequest, long deadlineNanos, CallWrites writes) {
        book.abilities().require(key, leaseRequest);
        PendingRequest pendingRequest =
                new PendingRequest(key, leaseRequest, writes, nextPlace(), nanos(), deadlineNanos);
        if (closed) {
            pendingRequest.future.completeExceptionally(new ClientClosedException());
        } else {
            watch(pendingRequest, deadlineNanos);
            requestQueue.submit(pendingRequest);
        }
        return pendingRequest.future;
    }

    private void watch(PendingRequest pendingRequest, long nanos) {
        DeadlineTimer.Deadline deadline = deadlineTimer.watch(nanos, () -> expire(pendingRequest));
        Futures.whenDone(pendingRequest.future, (answer, error) -> deadline.cancel());
    }

    /** Answers a request whose time is over: at once if it was never sent, else after the time for settling it. */
    private void expire(PendingRequest pendingRequest) {
        long lastNanos = pendingRequest.deadlineNanos + options.settleTimeout().toNanos();
        if (pendingRequest.expire()) {
            outcomeHandler.expiredUnsent(pendingRequest);
        } else if (nanos() - lastNanos < 0) {
            watch(pendingRequest, lastNanos);
        } else {
            outcomeHandler.expiredUnsettled(pendingRequest);
        }
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
     * Waits for a grant, first come, first served among all who wait here, until {@code deadlineNanos}; then the answer
     * is the last refusal. Cancelling the future leaves the line.
     */
    @Override
    public CompletableFuture<Answer> await(Key key, LeaseRequest.Acquire request, long deadlineNanos) {
        book.abilities().require(key, request);
        return waitQueues.acquire(key, request, deadlineNanos);
    }

    @Override
    public CompletableFuture<Answer> evict(Key key, String reason) {
        return submit(key, new LeaseRequest.EvictByForce());
    }

    /** The same for a grant as it was answered. */
    public void giveBack(Answer.Applied granted) {
        outcomeHandler.giveBack(granted);
    }

    /** Frees what was granted to somebody who is gone, unless he came back and was granted it again. */
    public CompletionStage<Void> giveBack(Entry granted) {
        return outcomeHandler.giveBack(granted);
    }

    /** How much of its term whoever has {@code token} has left, as far as is known here; null if nothing is. */
    public @Nullable Duration left(Key key, Token token) {
        CachedEntry cachedEntry = seen(key);
        Entry entry = cachedEntry == null ? null : cachedEntry.entry();
        if (cachedEntry == null || entry == null || entry.grant() == null || !entry.isHeldBy(token)) {
            return null;
        }
        return entry.grant().term().duration().minusNanos(nanos() - cachedEntry.beatSeenNanos());
    }

    @Override
    public void endWaiting() {
        waitQueues.failAll(closedAlready());
    }

    /** Fails all that waits for a timer or for a holder, and all that comes later; what is with the store runs out. */
    public void close() {
        closed = true;
        endWaiting();
        retryTimers.close();
    }

    /** Puts an operation back into the queue. */
    void resume(PendingRequest pendingRequest) {
        requestQueue.resume(pendingRequest);
    }

    void resumeAfter(Duration delay, PendingRequest pendingRequest) {
        retryTimers.rest(delay, () -> resume(pendingRequest), closed -> {
            pendingRequest.future.completeExceptionally(closed);
            requestQueue.abandon(pendingRequest);
        });
    }

    RetryTimers rests() {
        return retryTimers;
    }

    DeadlineTimer deadlines() {
        return deadlineTimer;
    }

    /** Tells those who wait here for {@code key}, or for what it kept alive, that it is free. */
    void freed(Key key) {
        waitQueues.freed(key);
    }

    /** The failure of a request that was under way when its client was closed; an attempt of it may have been applied. */
    public static IllegalStateException closedAlready() {
        return new IllegalStateException("the client is closed");
    }

    /** Asks the store for some keys, now, all at once. */
    CompletableFuture<Map<Key, ObservedEntry>> look(Set<Key> keys) {
        Map<Key, CompletableFuture<CachedEntry>> looks = batchReader.look(keys);
        return CompletableFuture.allOf(looks.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    Map<Key, ObservedEntry> found = new HashMap<>();
                    looks.forEach((key, seen) -> found.put(key, seen.join().at(nanos())));
                    return found;
                });
    }

    /** Makes what a scan found known to later decisions, and returns it as a sighting. */
    public ObservedEntry noteScanned(StoredEntry storedEntry, long asked) {
        Key key = storedEntry.entry().key();
        long now = nanos();
        // Done keys are most of a long listing, are rarely written again, and need no observation.
        boolean noted = storedEntry.entry().state() != LeaseState.DONE || storedEntry.age() == null;
        CachedEntry scanned = CachedEntry.of(storedEntry, asked, nextPlace(), now, noted ? cache.get(key) : null);
        if (noted) {
            cache.noteScanned(storedEntry, asked, scanned.told(), now);
        }
        return scanned.at(now);
    }

    void noteWritten(Key key, @Nullable Entry entry, long asked, long nanos) {
        cache.noteWritten(key, entry, asked, nextPlace(), nanos);
    }

    /** The entry of {@code key} as it was last seen here; null if there was none, or nobody looked. */
    public @Nullable Entry lastSeen(Key key) {
        CachedEntry cachedEntry = seen(key);
        return cachedEntry == null ? null : cachedEntry.entry();
    }

    @Nullable
    CachedEntry seen(Key key) {
        return cache.get(key);
    }

    CachedEntry note(Key key, @Nullable StoredEntry storedEntry, long asked, long nanos) {
        return cache.note(key, storedEntry, asked, nextPlace(), nanos);
    }

    WriteStamp stamp(Fence floor) {
        return new WriteStamp(Version.of(hostEnvironment.randomId()), now(), floor);
    }

    /** The wall clock, as precise as every store keeps it. */
    public Instant now() {
        return hostEnvironment.now().truncatedTo(ChronoUnit.MICROS);
    }

    public long operationTimeoutNanos() {
        return options.operationTimeout().toNanos();
    }

    /** Numbers requests and questions in the order in which they are made. */
    public long nextPlace() {
        return places.incrementAndGet();
    }

    BatchReader reader() {
        return batchReader;
    }

    RequestDecider steps() {
        return requestDecider;
    }

    OutcomeHandler outcomes() {
        return outcomeHandler;
    }

    PipelineOptions options() {
        return options;
    }

    public AsyncStore port() {
        return port;
    }

    public RuleSet book() {
        return book;
    }

    @Override
    public ValidityRules belief() {
        return book.belief();
    }

    @Override
    public FeatureRules abilities() {
        return book.abilities();
    }

    @Override
    public Duration patience(Term term) {
        return book.silence().patience(term);
    }

    @Override
    public HostEnvironment runtime() {
        return hostEnvironment;
    }

    @Override
    public LeaseListener listener() {
        return options.listener();
    }
}
