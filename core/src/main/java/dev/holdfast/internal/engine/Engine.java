package dev.holdfast.internal.engine;

import dev.holdfast.LeaseListener;
import dev.holdfast.internal.ClosedException;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.rules.Abilities;
import dev.holdfast.internal.rules.Belief;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.internal.rules.RuleBook;
import dev.holdfast.internal.rules.Sighting;
import dev.holdfast.internal.rules.Stamp;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.model.Term;
import dev.holdfast.model.Token;
import dev.holdfast.model.Version;
import dev.holdfast.spi.Runtime;
import dev.holdfast.spi.StoreException.Effect;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
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
public final class Engine implements Requests {
    /** Batches at once of a store that never blocks: its calls run on the callers' threads, and a few do not wait. */
    private static final int INLINE_LANES = 4;

    private final StorePort port;
    private final Runtime runtime;
    private final RuleBook book;
    private final EngineOptions options;
    private final EntryCache cache;
    private final Lanes lanes;
    private final Outcomes outcomes = new Outcomes(this);
    private final Steps steps = new Steps(this, outcomes);
    private final Reader reader;
    private final WaitLines waitLines = new WaitLines(this);
    private final AtomicLong places = new AtomicLong();
    private final Rests rests;
    private final Deadlines deadlines;
    private volatile boolean closed;

    public Engine(StorePort port, Runtime runtime, RuleBook book, EngineOptions options) {
        StoreTraits traits = port.traits();
        this.port = port;
        this.runtime = runtime;
        this.book = book;
        this.options = options;
        this.rests = new Rests(runtime);
        this.deadlines = new Deadlines(runtime);
        this.cache = new EntryCache(options.cacheSize());
        this.reader = new Reader(this, traits.batchLimit());
        int count = traits.lanes() == 0 ? INLINE_LANES : traits.lanes();
        this.lanes = new Lanes(this, count, traits.batchLimit(), options.queueLimit());
    }

    @Override
    public CompletableFuture<Answer> submit(Key key, Request request) {
        return submit(key, request, nanos() + operationTimeoutNanos());
    }

    /**
     * Carries out a request that is given up at {@code deadlineNanos}. It is answered within the settle time after that
     * at the latest, whatever the store does. Cancelling the future abandons the request: if
     * it has not been sent it never will be, and if it is a grant that comes all the same it is given back.
     */
    @Override
    public CompletableFuture<Answer> submit(Key key, Request request, long deadlineNanos) {
        return submit(key, request, deadlineNanos, new CallWrites());
    }

    /** The same, for one of several attempts of a call. */
    CompletableFuture<Answer> submit(Key key, Request request, long deadlineNanos, CallWrites writes) {
        book.abilities().require(key, request);
        Operation operation = new Operation(key, request, writes, nextPlace(), nanos(), deadlineNanos);
        if (closed) {
            operation.future.completeExceptionally(new ClosedException());
        } else {
            watch(operation, deadlineNanos);
            lanes.submit(operation);
        }
        return operation.future;
    }

    private void watch(Operation operation, long nanos) {
        Deadlines.Deadline deadline = deadlines.watch(nanos, () -> expire(operation));
        Futures.whenDone(operation.future, (answer, error) -> deadline.cancel());
    }

    /** Answers a request whose time is over: at once if it was never sent, else after the time for settling it. */
    private void expire(Operation operation) {
        long lastNanos = operation.deadlineNanos + options.settleTimeout().toNanos();
        if (operation.expire()) {
            outcomes.expiredUnsent(operation);
        } else if (nanos() - lastNanos < 0) {
            watch(operation, lastNanos);
        } else {
            outcomes.expiredUnsettled(operation);
        }
    }

    @Override
    public CompletableFuture<Answer> tryOnce(Key key, Request.Acquire request) {
        return waitLines.isWaitedFor(key) ? await(key, request, nanos()) : submit(key, request);
    }

    @Override
    public CompletableFuture<Answer> release(Key key, Token token) {
        CompletableFuture<Answer> handedOver = closed ? null : waitLines.handOver(key, token);
        return handedOver == null ? submit(key, new Request.Release(token)) : handedOver;
    }

    /**
     * Waits for a grant, first come, first served among all who wait here, until {@code deadlineNanos}; then the answer
     * is the last refusal. Cancelling the future leaves the line.
     */
    @Override
    public CompletableFuture<Answer> await(Key key, Request.Acquire request, long deadlineNanos) {
        book.abilities().require(key, request);
        return waitLines.acquire(key, request, deadlineNanos);
    }

    @Override
    public CompletableFuture<Answer> evict(Key key, String reason) {
        return submit(key, new Request.EvictByForce());
    }

    /** The same for a grant as it was answered. */
    void giveBack(Answer.Applied granted) {
        outcomes.giveBack(granted);
    }

    /** Frees what was granted to somebody who is gone, unless he came back and was granted it again. */
    public CompletionStage<Void> giveBack(Entry granted) {
        return outcomes.giveBack(granted);
    }

    /** How much of its term whoever has {@code token} has left, as far as is known here; null if nothing is. */
    public @Nullable Duration left(Key key, Token token) {
        Seen seen = seen(key);
        Entry entry = seen == null ? null : seen.entry();
        if (seen == null || entry == null || entry.grant() == null || !entry.isHeldBy(token)) {
            return null;
        }
        return entry.grant().term().duration().minusNanos(nanos() - seen.beatSeenNanos());
    }

    @Override
    public void endWaiting() {
        waitLines.failAll(closedAlready());
    }

    /** Fails all that waits for a timer or for a holder, and all that comes later; what is with the store runs out. */
    public void close() {
        closed = true;
        endWaiting();
        rests.close();
    }

    /** Puts an operation back into the queue. */
    void resume(Operation operation) {
        lanes.resume(operation);
    }

    void resumeAfter(Duration delay, Operation operation) {
        rests.rest(delay, () -> resume(operation), closed -> {
            operation.future.completeExceptionally(closed);
            lanes.abandon(operation);
        });
    }

    Rests rests() {
        return rests;
    }

    Deadlines deadlines() {
        return deadlines;
    }

    /** Tells those who wait here for {@code key}, or for what it kept alive, that it is free. */
    void freed(Key key) {
        waitLines.freed(key);
    }

    /** The failure of a request that was under way when its client was closed; an attempt of it may have been applied. */
    public static IllegalStateException closedAlready() {
        return new IllegalStateException("the client is closed");
    }

    /** Asks the store for some keys, now, all at once. */
    CompletableFuture<Map<Key, Sighting>> look(Set<Key> keys) {
        Map<Key, CompletableFuture<Seen>> looks = reader.look(keys);
        return CompletableFuture.allOf(looks.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    Map<Key, Sighting> found = new HashMap<>();
                    looks.forEach((key, seen) -> found.put(key, seen.join().at(nanos())));
                    return found;
                });
    }

    /** Makes what a scan found known to later decisions, and returns it as a sighting. */
    public Sighting noteScanned(Stored stored, long asked) {
        Key key = stored.entry().key();
        long now = nanos();
        // Done keys are most of a long listing, are rarely written again, and need no observation.
        boolean noted = stored.entry().state() != State.DONE || stored.age() == null;
        Seen scanned = Seen.of(stored, asked, nextPlace(), now, noted ? cache.get(key) : null);
        if (noted) {
            cache.noteScanned(stored, asked, scanned.told(), now);
        }
        return scanned.at(now);
    }

    void noteWritten(Key key, @Nullable Entry entry, long asked, long nanos) {
        cache.noteWritten(key, entry, asked, nextPlace(), nanos);
    }

    /** The entry of {@code key} as it was last seen here; null if there was none, or nobody looked. */
    public @Nullable Entry lastSeen(Key key) {
        Seen seen = seen(key);
        return seen == null ? null : seen.entry();
    }

    @Nullable
    Seen seen(Key key) {
        return cache.get(key);
    }

    Seen note(Key key, @Nullable Stored stored, long asked, long nanos) {
        return cache.note(key, stored, asked, nextPlace(), nanos);
    }

    Stamp stamp(Fence floor) {
        return new Stamp(Version.of(runtime.randomId()), now(), floor);
    }

    /** The wall clock, as precise as every store keeps it. */
    public Instant now() {
        return runtime.now().truncatedTo(ChronoUnit.MICROS);
    }

    long operationTimeoutNanos() {
        return options.operationTimeout().toNanos();
    }

    /** Numbers requests and questions in the order in which they are made. */
    public long nextPlace() {
        return places.incrementAndGet();
    }

    Reader reader() {
        return reader;
    }

    Steps steps() {
        return steps;
    }

    Outcomes outcomes() {
        return outcomes;
    }

    EngineOptions options() {
        return options;
    }

    public StorePort port() {
        return port;
    }

    public RuleBook book() {
        return book;
    }

    @Override
    public Belief belief() {
        return book.belief();
    }

    @Override
    public Abilities abilities() {
        return book.abilities();
    }

    @Override
    public Duration patience(Term term) {
        return book.silence().patience(term);
    }

    @Override
    public Runtime runtime() {
        return runtime;
    }

    @Override
    public LeaseListener listener() {
        return options.listener();
    }
}
