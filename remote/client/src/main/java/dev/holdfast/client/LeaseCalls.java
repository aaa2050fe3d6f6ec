package dev.holdfast.client;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseStatus;
import dev.holdfast.LostReason;
import dev.holdfast.Token;
import dev.holdfast.client.link.RemoteCall;
import dev.holdfast.client.link.RemoteContext;
import dev.holdfast.client.link.ServerReply;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.proto.v1.EditResponse;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ReleaseResponse;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.AnchorProof;
import dev.holdfast.service.Answer;
import dev.holdfast.service.StatusLookup;
import dev.holdfast.store.Entry;
import dev.holdfast.support.Futures;
import dev.holdfast.wire.ExplanationMessages;
import dev.holdfast.wire.OutcomeMessages;
import io.grpc.MethodDescriptor;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The methods of the protocol: each request as a call, and the answer that the response means. Thread-safe; never
 * blocks.
 */
final class LeaseCalls implements StatusLookup {
    private static final Logger log = LoggerFactory.getLogger(LeaseCalls.class);

    private final RemoteContext context;
    private final DoneKeyCache doneKeys;

    LeaseCalls(RemoteContext context, DoneKeyCache doneKeys) {
        this.context = context;
        this.doneKeys = doneKeys;
        doneKeys.preload(this);
    }

    CompletableFuture<Answer> call(Key key, LeaseRequest request) {
        return call(key, request, context.operationDeadline());
    }

    /**
     * Makes the call of a request that does not wait for a holder.
     *
     * @throws IllegalArgumentException if no client makes this request
     */
    CompletableFuture<Answer> call(Key key, LeaseRequest request, long deadlineNanos) {
        CallSettings settings = new CallSettings(key, request.repeatsHarmlessly(), deadlineNanos);
        if (request instanceof LeaseRequest.Renew renew) {
            return written(
                    start(settings, LeasesGrpc.getRenewMethod(), () -> RequestMessages.renew(key, renew)),
                    response -> response.getStatus());
        } else if (request instanceof LeaseRequest.Update update) {
            return written(
                    start(settings, LeasesGrpc.getUpdateMethod(), () -> RequestMessages.update(key, update)),
                    response -> response.getStatus());
        } else if (request instanceof LeaseRequest.Done done) {
            return written(
                    start(settings, LeasesGrpc.getDoneMethod(), () -> RequestMessages.done(key, done)),
                    response -> response.getStatus());
        } else if (request instanceof LeaseRequest.Release release) {
            return released(
                    start(settings, LeasesGrpc.getReleaseMethod(), () -> RequestMessages.release(key, release)));
        } else if (request instanceof LeaseRequest.Reopen) {
            return edited(key, start(settings, LeasesGrpc.getReopenMethod(), () -> RequestMessages.reopen(key)));
        } else if (request instanceof LeaseRequest.Delete delete) {
            return edited(
                    key, start(settings, LeasesGrpc.getDeleteMethod(), () -> RequestMessages.delete(key, delete)));
        }
        throw new IllegalArgumentException("request: " + request + " (expected: one that a client makes)");
    }

    CompletableFuture<Answer> evict(Key key, LeaseRequest.EvictByForce request) {
        CallSettings settings = new CallSettings(key, false, context.operationDeadline());
        return edited(key, start(settings, LeasesGrpc.getEvictMethod(), () -> RequestMessages.evict(key, request)));
    }

    /**
     * Releases a grant after its caller has given up. It is tried once, also while the client closes. If it fails, the
     * grant ends with its term.
     */
    void releaseUnwanted(Key key, Token token) {
        Runnable over = context.onClose(closed -> {});
        Futures.whenDone(
                context.links()
                        .current()
                        .call(
                                LeasesGrpc.getReleaseMethod(),
                                RequestMessages.release(key, new LeaseRequest.Release(token)),
                                context.attemptTimeout()),
                (response, error) -> {
                    over.run();
                    if (error != null) {
                        log.debug(
                                "{} was perhaps granted too late and not released; it ends with its term", key, error);
                    }
                });
    }

    @Override
    public CompletableFuture<Optional<LeaseStatus>> get(Key key) {
        return get(key, RequestMessages.get(key));
    }

    @Override
    public CompletableFuture<Optional<LeaseStatus>> getWithToken(Key key, @Nullable AnchorProof through) {
        return get(key, RequestMessages.getWithToken(key, through));
    }

    private CompletableFuture<Optional<LeaseStatus>> get(Key key, GetRequest message) {
        return read(
                key,
                LeasesGrpc.getGetMethod(),
                message,
                response -> response.hasStatus()
                        ? Optional.of(OutcomeMessages.status(response.getStatus()))
                        : Optional.empty());
    }

    @Override
    public CompletableFuture<LeaseExplanation> explain(Key key) {
        return read(
                key,
                LeasesGrpc.getExplainMethod(),
                RequestMessages.explain(key),
                response -> ExplanationMessages.explanation(key, response));
    }

    @Override
    public CompletableFuture<ListedPage> list(LeaseFilter filter, @Nullable String cursor, int limit) {
        return read(
                null,
                LeasesGrpc.getListMethod(),
                RequestMessages.list(filter, cursor, limit),
                response -> new ListedPage(
                        response.getStatusesList().stream()
                                .map(status -> new ListedStatus(OutcomeMessages.status(status), null))
                                // An older server does not know the prefix of names.
                                .filter(it -> filter.matchesKey(it.status().key()))
                                .toList(),
                        response.getCursor().isEmpty() ? null : response.getCursor()));
    }

    @Override
    public CompletableFuture<Long> cleanUp(CleanUpOptions options) {
        return read(
                null,
                LeasesGrpc.getCleanUpMethod(),
                RequestMessages.cleanUp(options),
                response -> response.getRemoved());
    }

    private <Q, R, T> CompletableFuture<T> read(
            @Nullable Key key, MethodDescriptor<Q, R> method, Q message, Function<R, T> reader) {
        return Futures.claim(
                start(new CallSettings(key, true, context.operationDeadline()), method, () -> message),
                reply -> {
                    if (reply.lost() != null && key != null) {
                        throw new LeaseLostException(key, reply.lost()); // The anchor in the request is not held.
                    }
                    return reply.read(reader);
                },
                unwanted -> {});
    }

    private record CallSettings(@Nullable Key key, boolean repeatable, long deadlineNanos) {}

    private <Q, R> CompletableFuture<ServerReply<R>> start(
            CallSettings settings, MethodDescriptor<Q, R> method, Supplier<Q> message) {
        RemoteCall.Description<Q, R> description = new RemoteCall.Description<>(
                settings.key, method, message, context.attemptTimeout(), settings.repeatable);
        return RemoteCall.start(context, description, settings.deadlineNanos);
    }

    private static <R> CompletableFuture<Answer> written(
            CompletableFuture<ServerReply<R>> call, Function<R, dev.holdfast.proto.v1.LeaseStatus> status) {
        return answer(call, reply -> applied(reply, reply.read(it -> OutcomeMessages.entry(status.apply(it)))));
    }

    private static CompletableFuture<Answer> released(CompletableFuture<ServerReply<ReleaseResponse>> call) {
        return answer(
                call,
                reply -> reply.read(response -> response.getReleased()
                        ? new Answer.Unneeded(null)
                        : refused(reply, new Decision.Lost(LostReason.TAKEN))));
    }

    private CompletableFuture<Answer> edited(Key key, CompletableFuture<ServerReply<EditResponse>> call) {
        doneKeys.remove(key);
        return answer(
                call,
                reply -> reply.read(response -> switch (response.getResultCase()) {
                    case CHANGED -> applied(reply, null);
                    case UNCHANGED -> new Answer.Unneeded(null);
                    case HELD -> refused(reply, RequestMessages.held(response.getHeld()));
                    case RESULT_NOT_SET -> throw new IllegalArgumentException("no result");
                }));
    }

    private static <R> CompletableFuture<Answer> answer(
            CompletableFuture<ServerReply<R>> call, Function<ServerReply<R>, Answer> reader) {
        return Futures.claim(call, reply -> answer(reply, reader), unwanted -> {});
    }

    /** Returns the answer that a reply means. */
    static <R> Answer answer(ServerReply<R> reply, Function<ServerReply<R>, Answer> reader) {
        return reply.lost() == null ? reader.apply(reply) : refused(reply, new Decision.Lost(reply.lost()));
    }

    /** Returns the answer to a request that was written. Its term counts from when the attempt was sent. */
    static Answer.Applied applied(ServerReply<?> reply, @Nullable Entry entry) {
        return new Answer.Applied(entry, reply.sent(), reply.sent(), reply.answered());
    }

    static Answer refused(ServerReply<?> reply, Decision.Refusal refusal) {
        return new Answer.Refused(refusal, 0, reply.answered().nanos());
    }
}
