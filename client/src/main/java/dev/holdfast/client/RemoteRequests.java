package dev.holdfast.client;

import dev.holdfast.LeaseListener;
import dev.holdfast.client.RemoteCall.Reply;
import dev.holdfast.client.RemoteCall.What;
import dev.holdfast.client.link.Link;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.Engine;
import dev.holdfast.internal.engine.Requests;
import dev.holdfast.internal.rules.Abilities;
import dev.holdfast.internal.rules.Belief;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.internal.rules.Silence;
import dev.holdfast.model.AnchorRef;
import dev.holdfast.model.Key;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Term;
import dev.holdfast.model.Token;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.EditResponse;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.RenewRequest;
import dev.holdfast.proto.v1.RenewResponse;
import dev.holdfast.proto.v1.UpdateRequest;
import dev.holdfast.proto.v1.UpdateResponse;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.Runtime;
import dev.holdfast.spi.StoreException;
import dev.holdfast.wire.Told;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests that a server decides. Thread-safe; never blocks. */
final class RemoteRequests implements Requests {
    private static final Abilities ABILITIES = new Abilities(Dialect.NATIVE);

    private static final Logger log = LoggerFactory.getLogger(RemoteRequests.class);
    /** The server knows its store's; this is for guessing how long the predecessor of an anchor may take to fall. */
    private static final Silence SILENCE = new Silence(Duration.ofSeconds(1));

    private final Remote remote;
    private final Belief belief = new Belief();
    private final Sessions sessions;
    private final UnderWay waiting = new UnderWay();

    private final @Nullable DoneCache doneCache;

    RemoteRequests(Remote remote, @Nullable DoneCache doneCache) {
        this.remote = remote;
        this.sessions = new Sessions(remote);
        this.doneCache = doneCache;
    }

    @Override
    public CompletableFuture<Answer> submit(Key key, Request request) {
        return submit(key, request, remote.usualDeadline());
    }

    @Override
    public CompletableFuture<Answer> submit(Key key, Request request, long deadlineNanos) {
        if (request instanceof Request.Acquire acquire) {
            return tryOnce(key, acquire);
        } else if (request instanceof Request.Renew renew) {
            return sessions.renew(key, renew, () -> renew(key, renew, deadlineNanos));
        } else if (request instanceof Request.Release release) {
            return release(key, release.token());
        } else if (request instanceof Request.Done done) {
            return answer(
                    ask(key, LeasesGrpc.getDoneMethod(), Messages.done(key, done), deadlineNanos),
                    response -> response.getStatus());
        } else if (request instanceof Request.Update update) {
            What<UpdateRequest, UpdateResponse> what = new What<>(
                    key,
                    LeasesGrpc.getUpdateMethod(),
                    () -> Messages.update(key, update),
                    remote.patience(),
                    update.repeatsHarmlessly());
            return answer(RemoteCall.ask(remote, what, deadlineNanos), response -> response.getStatus());
        } else if (request instanceof Request.Reopen) {
            return edit(key, LeasesGrpc.getReopenMethod(), Messages.reopen(key), deadlineNanos);
        } else if (request instanceof Request.Delete delete) {
            return edit(key, LeasesGrpc.getDeleteMethod(), Messages.delete(key, delete), deadlineNanos);
        }
        throw new IllegalArgumentException("request: " + request + " (expected: one that a client makes)");
    }

    private CompletableFuture<Answer> renew(Key key, Request.Renew renew, long deadlineNanos) {
        return answer(renewal(key, renew, deadlineNanos), RenewResponse::getStatus);
    }

    CompletableFuture<Reply<RenewResponse>> renewal(Key key, Request.Renew renew, long deadlineNanos) {
        What<RenewRequest, RenewResponse> what = new What<>(
                key,
                LeasesGrpc.getRenewMethod(),
                () -> Messages.renew(key, renew),
                remote.patience(),
                renew.repeatsHarmlessly());
        return RemoteCall.ask(remote, what, deadlineNanos);
    }

    private <Q, R> CompletableFuture<Reply<R>> ask(
            Key key, MethodDescriptor<Q, R> method, Q message, long deadlineNanos) {
        return RemoteCall.ask(remote, new What<>(key, method, () -> message, remote.patience(), true), deadlineNanos);
    }

    private <Q> CompletableFuture<Answer> edit(
            Key key, MethodDescriptor<Q, EditResponse> method, Q message, long deadlineNanos) {
        What<Q, EditResponse> what = new What<>(key, method, () -> message, remote.patience(), false);
        if (doneCache != null) {
            doneCache.forget(key);
        }
        return map(RemoteCall.ask(remote, what, deadlineNanos), reply -> switch (reply.told()
                .getResultCase()) {
            case CHANGED -> new Answer.Applied(null, reply.sent(), reply.sent(), reply.answered());
            case UNCHANGED -> new Answer.Unneeded(null);
            case HELD -> refused(Acquisition.held(reply.told().getHeld()));
            case RESULT_NOT_SET -> throw new IllegalArgumentException("no result");
        });
    }

    @Override
    public CompletableFuture<Answer> tryOnce(Key key, Request.Acquire request) {
        return acquire(key, request, nanos());
    }

    @Override
    public CompletableFuture<Answer> await(Key key, Request.Acquire request, long deadlineNanos) {
        CompletableFuture<Answer> asked = acquire(key, request, deadlineNanos);
        Runnable leave = waiting.add(asked::completeExceptionally);
        Futures.whenDone(asked, (answer, error) -> leave.run());
        return asked;
    }

    private CompletableFuture<Answer> acquire(Key key, Request.Acquire request, long untilNanos) {
        Optional<Instant> done = doneCache == null ? Optional.empty() : doneCache.doneAt(key);
        return done.isPresent()
                ? CompletableFuture.completedFuture(refused(new Decision.Finished(done.get())))
                : Acquisition.begin(this, key, request, message(key, request), untilNanos);
    }

    /** @param askedNanos when the question was sent whose answer this is */
    void noteDone(Key key, Instant doneAt, long askedNanos) {
        if (doneCache != null) {
            doneCache.note(key, doneAt, askedNanos);
        }
    }

    private AcquireRequest.Builder message(Key key, Request.Acquire request) {
        AnchorRef anchor = request.anchor();
        return Messages.acquire(key, request, anchor == null ? null : sessions.token(anchor));
    }

    @Override
    public CompletableFuture<Answer> release(Key key, Token token) {
        if (key.isAnchor()) {
            sessions.ended(key, token);
        }
        return map(
                ask(key, LeasesGrpc.getReleaseMethod(), Messages.release(key, token), remote.usualDeadline()),
                reply -> reply.told().getReleased()
                        ? new Answer.Unneeded(null)
                        : refused(new Decision.Lost(LostReason.TAKEN)));
    }

    @Override
    public CompletableFuture<Answer> evict(Key key, String reason) {
        return edit(key, LeasesGrpc.getEvictMethod(), Messages.evict(key, reason), remote.usualDeadline());
    }

    /** Releases what nobody waits for any more. Tried once, also while the client closes: else it ends with its term. */
    void giveBack(Key key, Token token) {
        Link link = remote.links().current();
        Runnable over = remote.onClose(closed -> {});
        Futures.whenDone(
                link.call(LeasesGrpc.getReleaseMethod(), Messages.release(key, token), remote.patience()),
                (response, error) -> {
                    over.run();
                    if (error != null) {
                        log.debug(
                                "{} was perhaps granted too late and not given back; it ends with its term",
                                key,
                                error);
                    }
                });
    }

    /** An anchor's token is shown by whoever acquires under it. */
    void noteAnchor(Answer.Applied granted) {
        var entry = granted.entry();
        if (entry != null && entry.key().isAnchor() && entry.grant() != null) {
            sessions.granted(entry, entry.grant().token());
        }
    }

    private <R> CompletableFuture<Answer> answer(
            CompletableFuture<Reply<R>> asked, Function<R, dev.holdfast.proto.v1.LeaseStatus> status) {
        return map(
                asked,
                reply -> new Answer.Applied(
                        Told.entry(status.apply(reply.told())), reply.sent(), reply.sent(), reply.answered()));
    }

    private <R> CompletableFuture<Answer> map(CompletableFuture<Reply<R>> asked, Function<Reply<R>, Answer> mapper) {
        return Futures.claim(
                asked,
                reply -> reply.lost() != null ? refused(new Decision.Lost(reply.lost())) : readable(mapper, reply),
                unwanted -> {});
    }

    private static <R> Answer readable(Function<Reply<R>, Answer> mapper, Reply<R> reply) {
        try {
            return mapper.apply(reply);
        } catch (IllegalArgumentException e) {
            throw StoreException.unknown("an answer that cannot be read: " + e.getMessage(), e);
        }
    }

    private Answer refused(Decision.Refusal refusal) {
        return new Answer.Refused(refusal, 0, nanos());
    }

    @Override
    public void endWaiting() {
        waiting.failAll(Engine.closedAlready());
    }

    /** Ends all streams. */
    void close() {
        sessions.close();
    }

    Remote remote() {
        return remote;
    }

    /** How many wait for a holder to give way. */
    int waiting() {
        return waiting.count();
    }

    @Override
    public Duration patience(Term term) {
        return SILENCE.patience(term);
    }

    @Override
    public Belief belief() {
        return belief;
    }

    /** The server knows what its store lacks, and says so. */
    @Override
    public Abilities abilities() {
        return ABILITIES;
    }

    @Override
    public LeaseListener listener() {
        return remote.listener();
    }

    @Override
    public Runtime runtime() {
        return remote.runtime();
    }
}
