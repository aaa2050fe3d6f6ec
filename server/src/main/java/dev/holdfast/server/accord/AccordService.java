package dev.holdfast.server.accord;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.proto.accord.AcquireRequest;
import dev.holdfast.proto.accord.AcquireResponse;
import dev.holdfast.proto.accord.DoneRequest;
import dev.holdfast.proto.accord.DoneResponse;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.proto.accord.RenewRequest;
import dev.holdfast.proto.accord.RenewResponse;
import dev.holdfast.proto.accord.Status;
import dev.holdfast.proto.accord.V1Grpc;
import dev.holdfast.rules.Decision;
import dev.holdfast.server.AnchorNameOwners;
import dev.holdfast.server.LeaseOperations;
import dev.holdfast.server.ServerComponents;
import dev.holdfast.server.wire.RequestContinuation;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.service.Answer;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** The gRPC service {@code blacksquaremedia.accord.V1}. */
final class AccordService extends V1Grpc.V1ImplBase {
    private final LeaseOperations leases;
    private final AccordCalls calls;
    private final HandleList list;

    AccordService(ServerComponents parts, Duration listPatience) {
        this.leases = new LeaseOperations(parts, new AnchorNameOwners(parts));
        this.calls =
                new AccordCalls(parts, leases, new HandleKeys(parts.leases().async(), HandleKeys.KEPT));
        this.list = new HandleList(parts, listPatience);
    }

    @Override
    public void acquire(AcquireRequest request, StreamObserver<AcquireResponse> observer) {
        ServiceRequestContext ctx = ServiceRequestContext.current();
        respond(() -> calls.acquire(ctx, request), outcome -> response(ctx, outcome), observer);
    }

    private AcquireResponse response(ServiceRequestContext ctx, Answer outcome) {
        AcquireResponse.Builder response = AcquireResponse.newBuilder();
        if (outcome instanceof Answer.Applied granted) {
            leases.releaseIfUndelivered(ctx, granted);
            return response.setHandle(HandleMessages.granted(Objects.requireNonNull(granted.entry())))
                    .build();
        }
        boolean isDone = ((Answer.Refused) outcome).refusal() instanceof Decision.Finished;
        return response.setStatus(isDone ? Status.DONE : Status.HELD).build();
    }

    @Override
    public void renew(RenewRequest request, StreamObserver<RenewResponse> observer) {
        ServiceRequestContext ctx = ServiceRequestContext.current();
        respond(() -> calls.renew(ctx, request), any -> RenewResponse.getDefaultInstance(), observer);
    }

    @Override
    public void done(DoneRequest request, StreamObserver<DoneResponse> observer) {
        ServiceRequestContext ctx = ServiceRequestContext.current();
        respond(() -> calls.done(ctx, request), any -> DoneResponse.getDefaultInstance(), observer);
    }

    @Override
    public void list(ListRequest request, StreamObserver<Handle> observer) {
        ServiceRequestContext ctx = ServiceRequestContext.current();
        try {
            list.stream(ctx, request, (ServerCallStreamObserver<Handle>) observer);
        } catch (RuntimeException e) {
            observer.onError(WireErrors.of(e));
        }
    }

    private static <A, T> void respond(
            Supplier<CompletionStage<A>> call, Function<A, T> toResponse, StreamObserver<T> observer) {
        ServiceRequestContext ctx = ServiceRequestContext.current();
        CompletionStage<A> stage;
        try {
            stage = call.get();
        } catch (RuntimeException e) {
            stage = CompletableFuture.failedFuture(e);
        }
        RequestContinuation.whenDone(ctx, stage, (value, error) -> {
            if (value == null) {
                observer.onError(WireErrors.of(error == null ? new IllegalStateException("no response") : error));
            } else {
                observer.onNext(toResponse.apply(value));
                observer.onCompleted();
            }
        });
    }
}
