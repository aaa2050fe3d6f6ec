package dev.holdfast.internal.engine;

import dev.holdfast.LeaseListener;
import dev.holdfast.internal.Delivery;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.internal.rules.RuleBook;
import dev.holdfast.internal.rules.Sighting;
import dev.holdfast.internal.rules.Stamp;
import dev.holdfast.model.AnchorRef;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.model.Version;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Runtime;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreException.Effect;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries requests to their answers: decides them by the rules, sends what was decided, looks again after a conflict,
 * sends again what got no answer, and settles what it gives up.
 *
 * <p>What it guarantees: a request that fails with {@link Effect#NOT_APPLIED} has had no effect and never will; a grant
 * that nobody waits for any more is given back; a refusal rests on what the store answered after the request began.
 *
 * <p>Thread-safe; never blocks; has no rules.
 */
public final class Engine {
    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    /** Queues for a store that never blocks: its calls run on the callers' threads, so a few keep them apart. */
    private static final int INLINE_LANES = 4;

    private final StorePort port;
    private final Runtime runtime;
    private final RuleBook book;
    private final EngineOptions options;
    private final EntryCache cache;
    private final Lane[] lanes;
    private final Reader reader;
    private final WaitLines waitLines = new WaitLines(this);
    private final AtomicLong places = new AtomicLong();
    /** Requests that wait for their next attempt. */
    private final Set<Operation> resting = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    public Engine(StorePort port, Runtime runtime, RuleBook book, EngineOptions options) {
        StoreTraits traits = port.traits();
        this.port = port;
        this.runtime = runtime;
        this.book = book;
        this.options = options;
        this.cache = new EntryCache(options.cacheSize());
        this.reader = new Reader(this, traits.batchLimit());
        this.lanes = new Lane[traits.lanes() == 0 ? INLINE_LANES : traits.lanes()];
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = new Lane(this, i, traits.batchLimit(), options.queueLimit());
        }
    }

    /** Carries out a request within the usual time. */
    public CompletableFuture<Answer> submit(Key key, Request request) {
        return submit(key, request, nanos() + operationTimeoutNanos());
    }

    /**
     * Carries out a request that is given up at {@code deadlineNanos}. Cancelling the future abandons the request: if
     * it has not been sent it never will be, and if it is a grant that comes all the same it is given back.
     */
    public CompletableFuture<Answer> submit(Key key, Request request, long deadlineNanos) {
        Operation operation = new Operation(key, request, nextPlace(), nanos(), deadlineNanos);
        if (closed) {
            operation.future.completeExceptionally(closedAlready());
        } else {
            lane(key).submit(operation);
        }
        return operation.future;
    }

    /**
     * Waits for a grant, first come, first served among all who wait here, until {@code deadlineNanos}; then the answer
     * is the last refusal. Cancelling the future leaves the line.
     */
    public CompletableFuture<Answer> await(Key key, Request.Acquire request, long deadlineNanos) {
        return waitLines.acquire(key, request, deadlineNanos);
    }

    /** Fails all that waits for a timer or for a holder, and all that comes later; what is with the store runs out. */
    public void close() {
        closed = true;
        waitLines.failAll(closedAlready());
        resting.forEach(operation -> operation.future.completeExceptionally(closedAlready()));
        resting.clear();
    }

    static IllegalStateException closedAlready() {
        return new IllegalStateException("the client is closed");
    }

    /** The next thing to send for {@code operation}; null if there is none, then what to do instead is in {@code aside}. */
    @Nullable
    Change nextStep(Operation operation, List<Runnable> aside) {
        if (operation.future.isDone() && operation.bar == null) {
            if (!operation.doubtful) {
                return null;
            }
            bar(operation);
        }
        Change pending = operation.pending();
        if (pending != null) {
            return pending;
        }
        try {
            return decide(operation, aside);
        } catch (IllegalArgumentException e) {
            // What the caller wants put on the key is, with what is there already, more than a key can hold.
            aside.add(() -> Delivery.run(() -> operation.future.completeExceptionally(e)));
            return null;
        }
    }

    private @Nullable Change decide(Operation operation, List<Runnable> aside) {
        long now = nanos();
        Seen seen = newest(operation.seen, cache.get(operation.key));
        Seen anchorSeen = anchorOf(seen, operation);
        Sighting sighting = seen == null ? null : seen.at(now);
        Sighting anchor = anchorSeen == null ? null : anchorSeen.at(now);
        Decision decision =
                book.rules().decide(operation.key, operation.request, sighting, anchor, stamp(operation.floor));
        if (decision instanceof Decision.Write write) {
            operation.decided(write.change(), seen == null ? null : seen.entry());
            return write.change();
        } else if (decision instanceof Decision.Look look) {
            aside.add(() -> look(operation, look.key()));
        } else if (decision instanceof Decision.EvictFirst evict) {
            aside.add(() -> evictFirst(operation, evict.anchorChange().key()));
        } else {
            Key stale = staleKey(operation, Objects.requireNonNull(seen), anchorSeen);
            aside.add(stale != null ? () -> look(operation, stale) : () -> conclude(operation, decision, seen.asked()));
        }
        return null;
    }

    /** What must be asked for anew before {@code operation} can be told no; null if nothing. */
    private @Nullable Key staleKey(Operation operation, Seen seen, @Nullable Seen anchorSeen) {
        if (!book.belief().mayRefuse(operation.begun, seen.asked())) {
            return operation.key;
        }
        if (anchorSeen != null && !book.belief().mayRefuse(operation.begun, anchorSeen.asked())) {
            return heldThrough(seen).key();
        }
        return null;
    }

    private static AnchorRef heldThrough(Seen seen) {
        Entry entry = Objects.requireNonNull(seen.entry());
        return Objects.requireNonNull(entry.heldThrough());
    }

    private @Nullable Seen anchorOf(@Nullable Seen seen, Operation operation) {
        Entry entry = seen == null ? null : seen.entry();
        AnchorRef anchor = entry == null ? null : entry.heldThrough();
        if (anchor == null) {
            return null;
        }
        Seen own = anchor.key().equals(operation.anchor) ? operation.anchorSeen : null;
        return newest(own, cache.get(anchor.key()));
    }

    private static @Nullable Seen newest(@Nullable Seen a, @Nullable Seen b) {
        return a == null || (b != null && b.asked() >= a.asked()) ? b : a;
    }

    private void conclude(Operation operation, Decision decision, long asked) {
        Answer answer = decision instanceof Decision.Refusal refusal
                ? new Answer.Refused(refusal, asked)
                : new Answer.Unneeded(((Decision.Already) decision).entry());
        Delivery.run(() -> complete(operation, answer));
    }

    private void look(Operation operation, Key key) {
        Futures.whenDone(reader.look(key), (seen, error) -> {
            if (seen == null) {
                retryLater(operation, Failures.of(error));
                return;
            }
            if (key.equals(operation.key)) {
                operation.seen = seen;
            } else {
                operation.anchorSeen = seen;
                operation.anchor = key;
            }
            lane(operation.key).resume(operation);
        });
    }

    private void evictFirst(Operation operation, Key anchor) {
        Futures.whenDone(submit(anchor, new Request.EvictSilent(), operation.deadlineNanos), (answer, error) -> {
            if (answer == null) {
                retryLater(operation, Failures.of(error));
                return;
            }
            if (answer instanceof Answer.Applied) {
                listener().onEvicted(anchor, "silent for longer than its term");
            }
            lane(operation.key).resume(operation);
        });
    }

    void answered(List<Operation> operations, List<Change> changes, List<Outcome> outcomes, long asked) {
        Moment now = moment();
        for (int i = 0; i < operations.size(); i++) {
            Operation operation = operations.get(i);
            Change change = changes.get(i);
            if (outcomes.get(i) instanceof Outcome.Conflict conflict) {
                operation.seen = note(operation.key, conflict.stored(), asked, now.nanos());
                operation.floor = max(operation.floor, conflict.floor());
                conflicted(
                        operation,
                        conflict.stored() == null ? null : conflict.stored().entry(),
                        now);
            } else {
                cache.noteWritten(operation.key, change.next(), asked, nextPlace(), now.nanos());
                applied(operation, change, now);
            }
        }
    }

    private void applied(Operation operation, Change change, Moment now) {
        if (operation.bar != null) {
            fail(operation, givenUp(), Effect.NOT_APPLIED);
        } else {
            fulfil(operation, change.next(), now);
        }
        if (change.next() != null && change.next().state() != State.HELD) {
            waitLines.freed(operation.key);
        }
    }

    private void conflicted(Operation operation, @Nullable Entry current, Moment now) {
        Change change = Objects.requireNonNull(operation.change);
        boolean byFloorAlone = current == null && operation.expected == null;
        if (book.settlement().tookEffect(change, current)) {
            fulfil(operation, current, now);
            return;
        }
        operation.uncertain |= operation.doubtful && !byFloorAlone;
        if (operation.bar != null && byFloorAlone) {
            bar(operation);
            lane(operation.key).resume(operation);
        } else if (operation.bar != null || (operation.uncertain && !operation.request.repeatsHarmlessly())) {
            // The key has moved on, so the change can no longer apply; but it may have, before.
            fail(operation, givenUp(), Effect.NOT_APPLIED);
        } else {
            decideAnew(operation);
        }
    }

    private void decideAnew(Operation operation) {
        listener().onConflict(operation.key);
        operation.doubtful = false;
        operation.change = null;
        if (isOver(operation.deadlineNanos)) {
            fail(operation, StoreException.notApplied("too many conflicts", null), Effect.NOT_APPLIED);
        } else {
            lane(operation.key).resume(operation);
        }
    }

    private void fulfil(Operation operation, @Nullable Entry entry, Moment now) {
        Moment firstSent = Objects.requireNonNull(operation.firstSent);
        Moment lastSent = Objects.requireNonNull(operation.lastSent);
        boolean late = operation.request instanceof Request.Acquire
                && !book.belief().inTime(now.nanos(), operation.deadlineNanos);
        if (late || !complete(operation, new Answer.Applied(entry, firstSent, lastSent, now))) {
            giveBack(operation);
        }
    }

    /** Nobody waits for this any more. What was granted is given back; other requests have had their effect. */
    private void giveBack(Operation operation) {
        if (operation.request instanceof Request.Acquire acquire) {
            Futures.whenDone(submit(operation.key, new Request.Release(acquire.token())), (released, error) -> {
                if (error != null) {
                    log.warn("{} was granted too late and not given back; it ends with its term", operation.key, error);
                }
            });
        }
        fail(operation, givenUp(), Effect.UNKNOWN);
    }

    private boolean complete(Operation operation, Answer answer) {
        listener().onAnswered(operation.key, nanos() - operation.begunNanos);
        return operation.future.complete(answer);
    }

    void failed(List<Operation> operations, StoreException failure) {
        for (Operation operation : operations) {
            if (operation.bar == null) {
                operation.doubtful |= failure.effect() == Effect.UNKNOWN;
            }
            if (failure.isRetryable()) {
                retryLater(operation, failure);
            } else {
                fail(operation, failure, operation.doubtful ? Effect.UNKNOWN : failure.effect());
            }
        }
    }

    private void retryLater(Operation operation, StoreException failure) {
        listener().onRetry(operation.key, operation.attempts + 1, failure);
        Duration delay = Backoff.RETRY.delay(operation.attempts++, runtime);
        long then = nanos() + delay.toNanos();
        if (operation.bar == null && then - operation.deadlineNanos >= 0 && operation.doubtful && settles(operation)) {
            bar(operation);
        }
        long deadline = operation.bar == null ? operation.deadlineNanos : operation.settleDeadlineNanos;
        if (then - deadline >= 0) {
            fail(operation, failure, operation.doubtful ? Effect.UNKNOWN : Effect.NOT_APPLIED);
        } else {
            resting.add(operation);
            runtime.schedule(delay, () -> {
                if (resting.remove(operation)) {
                    lane(operation.key).resume(operation);
                }
            });
        }
    }

    /** A late renewal or clean-up harms nobody: it applies only if the key has not moved on. */
    private static boolean settles(Operation operation) {
        Request request = operation.request;
        return !(request instanceof Request.Renew
                || request instanceof Request.CleanUp
                || request instanceof Request.EvictSilent);
    }

    private void bar(Operation operation) {
        Change doubtful = Objects.requireNonNull(operation.change);
        if (operation.bar == null) {
            operation.attempts = 0;
            operation.settleDeadlineNanos = nanos() + options.settleTimeout().toNanos();
        }
        operation.bar = book.settlement().bar(doubtful, operation.expected, stamp(operation.floor));
    }

    private void fail(Operation operation, StoreException failure, Effect ofLastChange) {
        Effect effect = operation.uncertain ? Effect.UNKNOWN : ofLastChange;
        String known = effect == Effect.UNKNOWN
                ? "the store did not answer in time; the request may have been applied, or may yet be"
                : "the request was not applied";
        StoreException told = failure.about(operation.key, effect, known + " (" + failure.getMessage() + ")");
        Delivery.run(() -> operation.future.completeExceptionally(told));
    }

    private static StoreException givenUp() {
        return StoreException.notApplied("no answer in time", null);
    }

    private boolean isOver(long deadlineNanos) {
        return nanos() - deadlineNanos >= 0;
    }

    /** Asks the store for one key, now. */
    public CompletableFuture<Sighting> look(Key key) {
        return reader.look(key).thenApply(seen -> seen.at(nanos()));
    }

    /** Makes what a scan found known to later decisions, and returns it as a sighting. */
    public Sighting noteScanned(Stored stored, long asked) {
        Key key = stored.entry().key();
        long now = nanos();
        Seen scanned = Seen.of(stored, asked, nextPlace(), now, cache.get(key));
        note(key, stored, asked, now);
        return scanned.at(now);
    }

    Seen note(Key key, @Nullable Stored stored, long asked, long nanos) {
        return cache.note(key, stored, asked, nextPlace(), nanos);
    }

    private Stamp stamp(Fence floor) {
        return new Stamp(Version.of(runtime.randomId()), now(), floor);
    }

    /** The wall clock, as precise as every store keeps it. */
    public Instant now() {
        return runtime.now().truncatedTo(ChronoUnit.MICROS);
    }

    public Moment moment() {
        return new Moment(runtime.nanos(), runtime.now());
    }

    public long nanos() {
        return runtime.nanos();
    }

    long operationTimeoutNanos() {
        return options.operationTimeout().toNanos();
    }

    /** Numbers requests and questions in the order in which they are made. */
    public long nextPlace() {
        return places.incrementAndGet();
    }

    public StorePort port() {
        return port;
    }

    public RuleBook book() {
        return book;
    }

    public Runtime runtime() {
        return runtime;
    }

    public LeaseListener listener() {
        return options.listener();
    }

    private Lane lane(Key key) {
        int hash = key.hashCode();
        return lanes[Math.floorMod(hash ^ (hash >>> 16), lanes.length)];
    }

    private static Fence max(Fence a, Fence b) {
        return a.isAbove(b) ? a : b;
    }
}
