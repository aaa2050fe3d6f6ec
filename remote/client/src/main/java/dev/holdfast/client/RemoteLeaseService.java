package dev.holdfast.client;

import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.client.link.CallsInProgress;
import dev.holdfast.client.link.RemoteContext;
import dev.holdfast.rules.ExpiryRules;
import dev.holdfast.rules.FeatureRules;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.StatusLookup;
import dev.holdfast.store.Entry;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.store.Term;
import dev.holdfast.support.ClientClosedException;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The service whose requests a server decides. Thread-safe; never blocks. */
final class RemoteLeaseService implements LeaseService {
    private static final FeatureRules ALL_FEATURES = new FeatureRules(StoreDialect.NATIVE);
    /**
     * Only for estimating how long the predecessor of an anchor may take to expire. The server knows the rules of its
     * store.
     */
    private static final ExpiryRules EXPIRY_RULES = new ExpiryRules(Duration.ofSeconds(1));

    private final RemoteContext context;
    private final DoneKeyCache doneKeys;
    private final LeaseCalls calls;
    private final AnchorSessions anchors;
    private final ValidityRules validity = new ValidityRules();
    private final CallsInProgress waiting = new CallsInProgress();

    RemoteLeaseService(RemoteContext context, DoneKeyCache doneKeys) {
        this.context = context;
        this.doneKeys = doneKeys;
        this.calls = new LeaseCalls(context, doneKeys);
        this.anchors = new AnchorSessions(context);
    }

    @Override
    public CompletableFuture<Answer> submit(Key key, LeaseRequest leaseRequest) {
        return submit(key, leaseRequest, context.operationDeadline());
    }

    @Override
    public CompletableFuture<Answer> submit(Key key, LeaseRequest leaseRequest, long deadlineNanos) {
        if (leaseRequest instanceof LeaseRequest.Acquire acquire) {
            return acquire(key, acquire, 0);
        } else if (leaseRequest instanceof LeaseRequest.Renew renew) {
            return anchors.renew(key, renew, () -> calls.call(key, renew, deadlineNanos));
        } else if (leaseRequest instanceof LeaseRequest.Release release) {
            return release(key, release);
        }
        return calls.call(key, leaseRequest, deadlineNanos);
    }

    @Override
    public CompletableFuture<Answer> acquire(Key key, LeaseRequest.Acquire request, long waitNanos) {
        RemoteAcquire acquire =
                new RemoteAcquire(context, calls, anchors, doneKeys, validity, key, request, nanos() + waitNanos);
        CompletableFuture<Answer> result = acquire.begin();
        if (waitNanos > 0) {
            Runnable leave = waiting.add(result::completeExceptionally);
            Futures.whenDone(result, (answer, error) -> leave.run());
        }
        return result;
    }

    @Override
    public CompletableFuture<Answer> release(Key key, LeaseRequest.Release request) {
        if (key.isAnchor()) {
            anchors.ended(key, request.token());
        }
        return calls.call(key, request);
    }

    @Override
    public CompletableFuture<Void> releaseUndelivered(Answer.Applied granted) {
        Entry entry = Objects.requireNonNull(granted.entry());
        return release(entry.key(), Objects.requireNonNull(entry.grant()).token())
                .thenAccept(answer -> {});
    }

    @Override
    public CompletableFuture<Answer> evict(Key key, LeaseRequest.EvictByForce request) {
        return calls.evict(key, request);
    }

    @Override
    public StatusLookup statuses() {
        return calls;
    }

    /** Nothing: the entries are seen by servers only. */
    @Override
    public @Nullable ObservedEntry lastObserved(Key key) {
        return null;
    }

    @Override
    public boolean decidesHere() {
        return false;
    }

    @Override
    public void endWaiting() {
        waiting.failAll(ClientClosedException.underWay());
    }

    /** Ends all streams and calls. */
    void close() {
        try {
            anchors.close();
        } finally {
            context.close();
        }
    }

    /** Returns the number of requests that wait for a holder. */
    int waiting() {
        return waiting.count();
    }

    @Override
    public Duration patience(Term term) {
        return EXPIRY_RULES.patience(term);
    }

    @Override
    public ValidityRules validity() {
        return validity;
    }

    /** All features: the server knows the limits of its store, and reports them. */
    @Override
    public FeatureRules features() {
        return ALL_FEATURES;
    }

    @Override
    public LeaseListener listener() {
        return context.listener();
    }

    @Override
    public HostEnvironment environment() {
        return context.environment();
    }
}
