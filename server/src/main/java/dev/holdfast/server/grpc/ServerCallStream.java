package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Relay;
import dev.holdfast.internal.ArgumentCheck;
import dev.holdfast.internal.Futures;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.Call;
import dev.holdfast.proto.v1.CallAnswer;
import dev.holdfast.proto.v1.CallsRequest;
import dev.holdfast.proto.v1.CallsResponse;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.server.CallerRevocation;
import dev.holdfast.server.LeaseOperations;
import dev.holdfast.server.RequestGate;
import dev.holdfast.server.ServerComponents;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.wire.TimeMessages;
import io.grpc.MethodDescriptor;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Many requests over one stream. Those that a batch of the store answered at one time go out as one message, so that a
 * request costs little more than its own bytes. From who does not read his answers nothing more is read.
 *
 * <p>Confined to the event loop of the stream, but for what is said of {@link #untold}.
 */
final class ServerCallStream implements StreamObserver<CallsRequest> {
    /** No further message is read while so many are under way or wait to be told. */
    private static final int MOST = 2_000;

    /** A message of answers is sent at this size, so that the first of many do not wait for the last. */
    private static final int MESSAGE_BYTES = 256 << 10;

    private static final String ACQUIRE = path(LeasesGrpc.getAcquireMethod());
    private static final String RENEW = path(LeasesGrpc.getRenewMethod());
    private static final String RELEASE = path(LeasesGrpc.getReleaseMethod());
    private static final String DONE = path(LeasesGrpc.getDoneMethod());
    private static final String UPDATE = path(LeasesGrpc.getUpdateMethod());

    private final ServiceRequestContext ctx;
    private final RequestGate requestGate;
    private final LeaseOperations leases;
    private final ServerCallStreamObserver<CallsResponse> observer;
    private final Runnable stays;

    private final Map<Long, CompletableFuture<Relay.Outcome>> acquires = new HashMap<>();
    /** What was answered, by whichever thread; whoever sets {@link #telling} has the event loop tell it. */
    private final Queue<Answered<?>> untold = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean telling = new AtomicBoolean();
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
        this.requestGate = parts.turnstile();
        this.leases = leases;
        this.observer = (ServerCallStreamObserver<CallsResponse>) observer;
        this.stays = parts.drain().onBegin(() -> ctx.eventLoop().execute(this::goAway));
        CallerRevocation.on(ctx, reason -> ctx.eventLoop().execute(() -> revoke(reason)));
        this.observer.disableAutoInboundFlowControl();
        this.observer.setOnReadyHandler(this::tell);
        this.observer.setOnCancelHandler(this::broken);
        this.observer.request(1);
    }

    private static String path(MethodDescriptor<?, ?> method) {
        return "/" + method.getFullMethodName();
    }

    /** One that is under way. */
    private record Asked<T>(long number, RequestGate.Passing passing, BiConsumer<CallAnswer.Builder, T> teller) {}

    /** One that was answered. */
    private record Answered<T>(
            Asked<T> asked, @Nullable T value, @Nullable Throwable error) {
        CallAnswer tell() {
            CallAnswer.Builder answer = CallAnswer.newBuilder().setNumber(asked.number);
            if (value != null) {
                asked.teller.accept(answer, value);
            } else {
                answer.setFailed(WireErrors.status(WireErrors.present(error)));
            }
            asked.passing.leave(
                    Status.fromCodeValue(answer.getFailed().getCode()).getCode());
            return answer.build();
        }
    }

    @Override
    public void onNext(CallsRequest request) {
        if (over) {
            return;
        }
        try {
            request.getCallsList().forEach(this::take);
        } catch (RuntimeException e) {
            broken();
            observer.onError(WireErrors.of(e));
            return;
        }
        hasTaken = true;
        takeNext();
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
            throw ArgumentCheck.bad("number", number, "one that names the answer");
        }
        switch (call.getRequestCase()) {
            case ACQUIRE -> acquire(number, call.getAcquire());
            case RENEW -> ask(number, RENEW, () -> leases.renew(ctx, call.getRenew()), CallAnswer.Builder::setRenew);
            case RELEASE ->
                ask(number, RELEASE, () -> leases.release(ctx, call.getRelease()), CallAnswer.Builder::setRelease);
            case DONE -> ask(number, DONE, () -> leases.done(ctx, call.getDone()), CallAnswer.Builder::setDone);
            case UPDATE ->
                ask(number, UPDATE, () -> leases.update(ctx, call.getUpdate()), CallAnswer.Builder::setUpdate);
            case CANCEL -> cancel(number);
            case REQUEST_NOT_SET ->
                throw ArgumentCheck.bad("request", "none", "acquire, renew, release, done, update or cancel");
        }
    }

    private void acquire(long number, AcquireRequest request) {
        if (acquires.containsKey(number)) {
            throw ArgumentCheck.bad("number", number, "one that is not under way");
        }
        ask(
                number,
                ACQUIRE,
                () -> {
                    if (request.hasWait()) {
                        throw ArgumentCheck.bad(
                                "wait",
                                TimeMessages.duration("wait", request.getWait()),
                                "none; to wait, call Acquire");
                    }
                    CompletableFuture<Relay.Outcome> asked = leases.acquire(ctx, request);
                    acquires.put(number, asked);
                    return asked;
                },
                (answer, outcome) -> answer.setAcquire(LeaseOperations.response(outcome)));
    }

    private void cancel(long number) {
        CompletableFuture<Relay.Outcome> asked = acquires.get(number);
        if (asked != null) {
            asked.cancel(false);
        }
    }

    private <T> void ask(
            long number, String path, Supplier<CompletionStage<T>> request, BiConsumer<CallAnswer.Builder, T> teller) {
        underWay++;
        RequestGate.Passing passing = RequestGate.Passing.NONE;
        CompletionStage<T> stage;
        try {
            passing = requestGate.enter(ctx, path);
            stage = request.get();
        } catch (RuntimeException e) {
            stage = CompletableFuture.failedFuture(e);
        }
        Asked<T> asked = new Asked<>(number, passing, teller);
        Futures.whenDone(stage, (value, error) -> answered(new Answered<>(asked, value, error)));
    }

    private void answered(Answered<?> answered) {
        untold.add(answered);
        if (telling.compareAndSet(false, true)) {
            ctx.eventLoop().withoutContext().execute(this::tell);
        }
    }

    /** Tells all that was answered, in messages of a fair size. */
    private void tell() {
        telling.set(false);
        while (over || observer.isReady()) {
            CallsResponse.Builder message = CallsResponse.newBuilder();
            int bytes = 0;
            for (Answered<?> next = untold.poll(); next != null; next = bytes < MESSAGE_BYTES ? untold.poll() : null) {
                underWay--;
                acquires.remove(next.asked.number);
                CallAnswer answer = next.tell();
                bytes += answer.getSerializedSize();
                message.addAnswers(answer);
                if (over && next.value instanceof Relay.Granted untellable) {
                    leases.giveBack(untellable);
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
            endIfAllTold();
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
        endIfAllTold();
    }

    /** Further calls are refused one by one. Those under way are answered, as their callers must know what was done. */
    private void revoke(StatusRuntimeException reason) {
        revoked = reason;
        endIfAllTold();
    }

    private void endIfAllTold() {
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

    /** Acquires that are under way are left; what is granted all the same has nobody to be told to. */
    private void broken() {
        over = true;
        stays.run();
        List.copyOf(acquires.values()).forEach(asked -> asked.cancel(false));
        tell();
    }
}
