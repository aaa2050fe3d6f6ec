package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.Call;
import dev.holdfast.proto.v1.CallAnswer;
import dev.holdfast.proto.v1.CallsRequest;
import dev.holdfast.proto.v1.CallsResponse;
import dev.holdfast.server.calls.LeaseOperations;
import dev.holdfast.server.calls.ServerComponents;
import dev.holdfast.server.wire.LongRequests;
import dev.holdfast.server.wire.RequestDebugLog;
import dev.holdfast.server.wire.RequestPaths;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.service.Answer;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.support.Futures;
import dev.holdfast.wire.TimeMessages;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A stream that carries many requests. Responses that one batch of the store produced together are sent as one message,
 * so a request costs little more than its own bytes. The server stops reading from clients that do not read their
 * responses.
 *
 * <p>Confined to the event loop of the stream, except for {@link #unsent}.
 */
final class ServerCallStream implements StreamObserver<CallsRequest> {
    /** No further message is read while this many requests are running or have unsent responses. */
    private static final int MOST = 2_000;

    /**
     * A message of responses is sent once it has this size, so that the first of many responses do not wait for the
     * last.
     */
    private static final int MESSAGE_BYTES = 256 << 10;

    /**
     * The calls of one message are submitted in groups of this size. A store may take as many in one batch, and the
     * requests of other clients wait until a group is submitted.
     */
    private static final int CALLS_OF_A_GROUP = 512;

    private final ServiceRequestContext ctx;
    private final ServerComponents parts;
    private final LeaseOperations leases;
    private final ServerCallStreamObserver<CallsResponse> observer;
    private final Runnable unregister;

    private final Map<Long, CompletableFuture<Answer>> acquires = new HashMap<>();
    /**
     * Completed requests, added by any thread. The thread that sets {@link #sendScheduled} schedules the sending on the
     * event loop.
     */
    private final Queue<CompletedCall> unsent = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean sendScheduled = new AtomicBoolean();
    private int underWay;
    private boolean hasTaken;
    private boolean halfClosed;
    private @Nullable StatusRuntimeException revoked;
    private boolean over;

    ServerCallStream(
            ServiceRequestContext ctx,
            ServerComponents parts,
            LeaseOperations leases,
            StreamObserver<CallsResponse> observer) {
        this.ctx = ctx;
        this.parts = parts;
        this.leases = leases;
        this.observer = (ServerCallStreamObserver<CallsResponse>) observer;
        this.unregister = parts.drain().onBegin(() -> ctx.eventLoop().execute(this::goAway));
        LongRequests.onRevoked(ctx, reason -> ctx.eventLoop().execute(() -> revoke(reason)));
        this.observer.disableAutoInboundFlowControl();
        this.observer.setOnReadyHandler(this::send);
        this.observer.setOnCancelHandler(this::broken);
        this.observer.request(1);
    }

    /**
     * A call that has completed.
     *
     * @param value its result; null if it failed
     * @param answer makes the message for the client, and reports the end of the call
     */
    private record CompletedCall(long number, @Nullable Object value, Supplier<CallAnswer> answer) {}

    @Override
    public void onNext(CallsRequest request) {
        if (over) {
            return;
        }
        try {
            takeInGroups(request.getCallsList());
        } catch (RuntimeException e) {
            broken();
            observer.onError(WireErrors.of(e));
            return;
        }
        hasTaken = true;
        takeNext();
    }

    private void takeInGroups(List<Call> calls) {
        for (int from = 0; from < calls.size(); from += CALLS_OF_A_GROUP) {
            List<Call> group = calls.subList(from, Math.min(calls.size(), from + CALLS_OF_A_GROUP));
            parts.service().together(() -> group.forEach(this::take));
        }
    }

    private void takeNext() {
        if (hasTaken && underWay < MOST) {
            hasTaken = false;
            observer.request(1);
        }
    }

    private void take(Call call) {
        long number = call.getNumber();
        if (number == 0) {
            throw ArgumentCheck.bad("number", number, "a number other than 0");
        }
        switch (call.getRequestCase()) {
            case ACQUIRE -> acquire(number, call.getAcquire());
            case RENEW ->
                start(
                        number,
                        RequestPaths.GRPC + "Renew",
                        () -> leases.renew(ctx, call.getRenew()),
                        CallAnswer.Builder::setRenew);
            case RELEASE ->
                start(
                        number,
                        RequestPaths.GRPC + "Release",
                        () -> leases.release(ctx, call.getRelease()),
                        CallAnswer.Builder::setRelease);
            case DONE ->
                start(
                        number,
                        RequestPaths.GRPC + "Done",
                        () -> leases.done(ctx, call.getDone()),
                        CallAnswer.Builder::setDone);
            case UPDATE ->
                start(
                        number,
                        RequestPaths.GRPC + "Update",
                        () -> leases.update(ctx, call.getUpdate()),
                        CallAnswer.Builder::setUpdate);
            case CANCEL -> cancel(number);
            case REQUEST_NOT_SET ->
                throw ArgumentCheck.bad("request", "none", "acquire, renew, release, done, update or cancel");
        }
    }

    private void acquire(long number, AcquireRequest request) {
        if (acquires.containsKey(number)) {
            throw ArgumentCheck.bad("number", number, "a number that no running acquire has");
        }
        start(
                number,
                RequestPaths.GRPC + "Acquire",
                () -> {
                    if (request.hasWait()) {
                        throw ArgumentCheck.bad(
                                "wait",
                                TimeMessages.duration("wait", request.getWait()),
                                "none; to wait, call Acquire");
                    }
                    CompletableFuture<Answer> pending = leases.acquire(ctx, request);
                    acquires.put(number, pending);
                    return pending;
                },
                (answer, outcome) -> answer.setAcquire(LeaseOperations.response(outcome)));
    }

    private void cancel(long number) {
        CompletableFuture<Answer> pending = acquires.get(number);
        if (pending != null) {
            pending.cancel(false);
        }
    }

    private <T> void start(
            long number, String path, Supplier<CompletionStage<T>> request, BiConsumer<CallAnswer.Builder, T> writer) {
        underWay++;
        long startNanos = System.nanoTime();
        Consumer<Status.Code> leave = status -> {};
        CompletionStage<T> stage;
        try {
            leave = parts.gate().enter(ctx, path);
            stage = request.get();
        } catch (RuntimeException e) {
            stage = CompletableFuture.failedFuture(e);
        }
        Consumer<Status.Code> admitted = leave;
        Futures.whenDone(
                stage,
                (value, error) -> completed(new CompletedCall(number, value, () -> {
                    CallAnswer.Builder answer = CallAnswer.newBuilder().setNumber(number);
                    if (value != null) {
                        writer.accept(answer, value);
                    } else {
                        answer.setFailed(WireErrors.status(error));
                    }
                    Status.Code status =
                            Status.fromCodeValue(answer.getFailed().getCode()).getCode();
                    admitted.accept(status);
                    RequestDebugLog.streamed(ctx, path, status, startNanos);
                    return answer.build();
                })));
    }

    private void completed(CompletedCall call) {
        unsent.add(call);
        if (sendScheduled.compareAndSet(false, true)) {
            // Other responses of the same batch follow, and go into the same message.
            CallbackThread.afterwards(() -> ctx.eventLoop().withoutContext().execute(this::send));
        }
    }

    /** Sends all completed responses, in messages of limited size. */
    private void send() {
        sendScheduled.set(false);
        while (over || observer.isReady()) {
            CallsResponse.Builder message = CallsResponse.newBuilder();
            int bytes = 0;
            for (CompletedCall next = unsent.poll();
                    next != null;
                    next = bytes < MESSAGE_BYTES ? unsent.poll() : null) {
                underWay--;
                acquires.remove(next.number);
                CallAnswer answer = next.answer.get();
                bytes += answer.getSerializedSize();
                message.addAnswers(answer);
                if (over && next.value instanceof Answer undeliverable) {
                    parts.releaseUndelivered(undeliverable);
                }
            }
            if (bytes == 0) {
                break;
            }
            if (!over) {
                observer.onNext(message.build());
            }
        }
        if (!over) {
            takeNext();
            endIfAllSent();
        }
    }

    private void goAway() {
        if (!over) {
            observer.onNext(CallsResponse.newBuilder().setGoAway(true).build());
        }
    }

    @Override
    public void onCompleted() {
        halfClosed = true;
        endIfAllSent();
    }

    /**
     * Ends the stream once all running calls have been answered, because their callers must know the outcome. Further
     * calls are rejected one by one.
     */
    private void revoke(StatusRuntimeException reason) {
        revoked = reason;
        endIfAllSent();
    }

    private void endIfAllSent() {
        if (underWay > 0 || over) {
            return;
        }
        if (revoked != null) {
            broken();
            observer.onError(revoked);
        } else if (halfClosed) {
            broken();
            observer.onCompleted();
        }
    }

    @Override
    public void onError(Throwable error) {
        broken();
    }

    /** Cancels running acquires. An acquire that is granted nevertheless cannot be delivered, so it is released. */
    private void broken() {
        over = true;
        unregister.run();
        List.copyOf(acquires.values()).forEach(pending -> pending.cancel(false));
        send();
    }
}
