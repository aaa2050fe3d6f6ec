package dev.holdfast.client;

import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.LostReason;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.client.RemoteCall.Reply;
import dev.holdfast.client.RemoteCall.What;
import dev.holdfast.client.link.ServerLink;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.EditResponse;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.RenewRequest;
import dev.holdfast.proto.v1.RenewResponse;
import dev.holdfast.proto.v1.UpdateRequest;
import dev.holdfast.proto.v1.UpdateResponse;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.ExpiryRules;
import dev.holdfast.rules.FeatureRules;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.StatusLookup;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Entry;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.store.Term;
import dev.holdfast.support.ClientClosedException;
import dev.holdfast.support.Futures;
import dev.holdfast.wire.OutcomeMessages;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lease requests that a server decides. Thread-safe; never blocks. */
final class RemoteRequests implements LeaseService {
    private static final FeatureRules ABILITIES = new FeatureRules(StoreDialect.NATIVE);

    private static final Logger log = LoggerFactory.getLogger(RemoteRequests.class);
    /**
     * Only for estimating how long the predecessor of an anchor may take to expire. The server knows the rules of its
     * store.
     */
    private static final ExpiryRules EXPIRY_RULES = new ExpiryRules(Duration.ofSeconds(1));

    private final RemoteContext remoteContext;
    private final ValidityRules validityRules = new ValidityRules();
    private final AnchorSessions anchorSessions;
    private final RemoteStatusLookup statuses;
    private final OpenCalls waiting = new OpenCalls();

    private final @Nullable DoneKeyCache doneKeyCache;

    RemoteRequests(RemoteContext remoteContext, @Nullable DoneKeyCache doneKeyCache) {
        this.remoteContext = remoteContext;
        this.anchorSessions = new AnchorSessions(remoteContext);
        this.statuses = new RemoteStatusLookup(remoteContext);
        if (doneKeyCache != null) {
            doneKeyCache.preload(statuses);
        }
        this.doneKeyCache = doneKeyCache;
    }

    @Override
    public CompletableFuture<Answer> submit(Key key, LeaseRequest leaseRequest) {
        return submit(key, leaseRequest, remoteContext.operationDeadline());
    }

    @Override
    public CompletableFuture<Answer> submit(Key key, LeaseRequest leaseRequest, long deadlineNanos) {
        if (leaseRequest instanceof LeaseRequest.Acquire acquire) {
            return acquire(key, acquire, 0);
        } else if (leaseRequest instanceof LeaseRequest.Renew renew) {
            return anchorSessions.renew(key, renew, () -> renew(key, renew, deadlineNanos));
        } else if (leaseRequest instanceof LeaseRequest.Release release) {
            return release(key, release.token());
        } else if (leaseRequest instanceof LeaseRequest.Done done) {
            return answer(
                    call(key, LeasesGrpc.getDoneMethod(), RequestMessages.done(key, done), deadlineNanos),
                    response -> response.getStatus());
        } else if (leaseRequest instanceof LeaseRequest.Update update) {
            What<UpdateRequest, UpdateResponse> spec = new What<>(
                    key,
                    LeasesGrpc.getUpdateMethod(),
                    () -> RequestMessages.update(key, update),
                    remoteContext.attemptTimeout(),
                    update.repeatsHarmlessly());
            return answer(RemoteCall.start(remoteContext, spec, deadlineNanos), response -> response.getStatus());
        } else if (leaseRequest instanceof LeaseRequest.Reopen) {
            return edit(key, LeasesGrpc.getReopenMethod(), RequestMessages.reopen(key), deadlineNanos);
        } else if (leaseRequest instanceof LeaseRequest.Delete delete) {
            return edit(key, LeasesGrpc.getDeleteMethod(), RequestMessages.delete(key, delete), deadlineNanos);
        }
        throw new IllegalArgumentException("request: " + leaseRequest + " (expected: one that a client makes)");
    }

    private CompletableFuture<Answer> renew(Key key, LeaseRequest.Renew renew, long deadlineNanos) {
        return answer(renewal(key, renew, deadlineNanos), RenewResponse::getStatus);
    }

    CompletableFuture<Reply<RenewResponse>> renewal(Key key, LeaseRequest.Renew renew, long deadlineNanos) {
        What<RenewRequest, RenewResponse> spec = new What<>(
                key,
                LeasesGrpc.getRenewMethod(),
                () -> RequestMessages.renew(key, renew),
                remoteContext.attemptTimeout(),
                renew.repeatsHarmlessly());
        return RemoteCall.start(remoteContext, spec, deadlineNanos);
    }

    private <Q, R> CompletableFuture<Reply<R>> call(
            Key key, MethodDescriptor<Q, R> method, Q message, long deadlineNanos) {
        return RemoteCall.start(
                remoteContext,
                new What<>(key, method, () -> message, remoteContext.attemptTimeout(), true),
                deadlineNanos);
    }

    private <Q> CompletableFuture<Answer> edit(
            Key key, MethodDescriptor<Q, EditResponse> method, Q message, long deadlineNanos) {
        What<Q, EditResponse> spec = new What<>(key, method, () -> message, remoteContext.attemptTimeout(), false);
        if (doneKeyCache != null) {
            doneKeyCache.remove(key);
        }
        return map(RemoteCall.start(remoteContext, spec, deadlineNanos), reply -> switch (reply.requireMessage()
                .getResultCase()) {
            case CHANGED -> new Answer.Applied(null, reply.sent(), reply.sent(), reply.answered());
            case UNCHANGED -> new Answer.Unneeded(null);
            case HELD -> refused(RemoteAcquire.held(reply.requireMessage().getHeld()));
            case RESULT_NOT_SET -> throw new IllegalArgumentException("no result");
        });
    }

    @Override
    public CompletableFuture<Answer> acquire(Key key, LeaseRequest.Acquire request, long waitNanos) {
        CompletableFuture<Answer> result = acquireUntil(key, request, nanos() + waitNanos);
        if (waitNanos > 0) {
            Runnable leave = waiting.add(result::completeExceptionally);
            Futures.whenDone(result, (answer, error) -> leave.run());
        }
        return result;
    }

    private CompletableFuture<Answer> acquireUntil(Key key, LeaseRequest.Acquire request, long untilNanos) {
        Optional<Instant> done = doneKeyCache == null ? Optional.empty() : doneKeyCache.doneAt(key);
        return done.isPresent()
                ? CompletableFuture.completedFuture(refused(new Decision.Finished(done.get())))
                : RemoteAcquire.begin(this, key, request, message(key, request), untilNanos);
    }

    /** @param sentNanos when the request of this response was sent */
    void noteDone(Key key, Instant doneAt, long sentNanos) {
        if (doneKeyCache != null) {
            doneKeyCache.note(key, doneAt, sentNanos);
        }
    }

    private AcquireRequest.Builder message(Key key, LeaseRequest.Acquire request) {
        AnchorRef anchor = request.anchor();
        return RequestMessages.acquire(key, request, anchor == null ? null : anchorSessions.token(anchor));
    }

    @Override
    public CompletableFuture<Answer> release(Key key, Token token) {
        if (key.isAnchor()) {
            anchorSessions.ended(key, token);
        }
        return map(
                call(
                        key,
                        LeasesGrpc.getReleaseMethod(),
                        RequestMessages.release(key, token),
                        remoteContext.operationDeadline()),
                reply -> reply.requireMessage().getReleased()
                        ? new Answer.Unneeded(null)
                        : refused(new Decision.Lost(LostReason.TAKEN)));
    }

    @Override
    public CompletableFuture<Answer> evict(Key key, String reason) {
        return edit(
                key,
                LeasesGrpc.getEvictMethod(),
                RequestMessages.evict(key, reason),
                remoteContext.operationDeadline());
    }

    /**
     * Releases a grant after its caller has given up. It is tried once, also while the client closes. If it fails, the
     * grant ends with its term.
     */
    void releaseUnwanted(Key key, Token token) {
        ServerLink serverLink = remoteContext.links().current();
        Runnable over = remoteContext.onClose(closed -> {});
        Futures.whenDone(
                serverLink.call(
                        LeasesGrpc.getReleaseMethod(),
                        RequestMessages.release(key, token),
                        remoteContext.attemptTimeout()),
                (response, error) -> {
                    over.run();
                    if (error != null) {
                        log.debug(
                                "{} was perhaps granted too late and not released; it ends with its term", key, error);
                    }
                });
    }

    /** Keeps the token of a granted anchor, which requests under that anchor must send. */
    void noteAnchor(Answer.Applied granted) {
        var entry = granted.entry();
        if (entry != null && entry.key().isAnchor() && entry.grant() != null) {
            anchorSessions.granted(entry, entry.grant().token());
        }
    }

    private <R> CompletableFuture<Answer> answer(
            CompletableFuture<Reply<R>> call, Function<R, dev.holdfast.proto.v1.LeaseStatus> status) {
        return map(
                call,
                reply -> new Answer.Applied(
                        OutcomeMessages.entry(status.apply(reply.requireMessage())),
                        reply.sent(),
                        reply.sent(),
                        reply.answered()));
    }

    private <R> CompletableFuture<Answer> map(CompletableFuture<Reply<R>> call, Function<Reply<R>, Answer> mapper) {
        return Futures.claim(
                call,
                reply -> reply.lost() != null ? refused(new Decision.Lost(reply.lost())) : readable(mapper, reply),
                unwanted -> {});
    }

    private static <R> Answer readable(Function<Reply<R>, Answer> mapper, Reply<R> reply) {
        try {
            return mapper.apply(reply);
        } catch (IllegalArgumentException e) {
            throw StoreException.unknown("unreadable response: " + e.getMessage(), e);
        }
    }

    private Answer refused(Decision.Refusal refusal) {
        return new Answer.Refused(refusal, 0, nanos());
    }

    @Override
    public CompletableFuture<Void> releaseUndelivered(Answer.Applied granted) {
        Entry entry = Objects.requireNonNull(granted.entry());
        return release(entry.key(), Objects.requireNonNull(entry.grant()).token())
                .thenAccept(answer -> {});
    }

    @Override
    public StatusLookup statuses() {
        return statuses;
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

    /** Ends all streams. */
    void close() {
        anchorSessions.close();
    }

    RemoteContext remote() {
        return remoteContext;
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
        return validityRules;
    }

    /** All features: the server knows the limits of its store, and reports them. */
    @Override
    public FeatureRules features() {
        return ABILITIES;
    }

    @Override
    public LeaseListener listener() {
        return remoteContext.listener();
    }

    @Override
    public HostEnvironment environment() {
        return remoteContext.runtime();
    }
}
