package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.server.LeaseOperations;
import dev.holdfast.server.wire.RequestContinuation;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.service.Answer;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;

/**
 * An acquire, which may wait. A client that disconnects meanwhile leaves the wait queue before anything is granted to
 * it. A grant that could not be delivered is released.
 */
final class GrpcAcquireCall {
    private GrpcAcquireCall() {}

    static void respond(
            ServiceRequestContext ctx,
            LeaseOperations leases,
            AcquireRequest request,
            StreamObserver<AcquireResponse> observer) {
        CompletableFuture<Answer> pending;
        try {
            pending = leases.acquire(ctx, request);
        } catch (RuntimeException e) {
            observer.onError(WireErrors.of(e));
            return;
        }
        ((ServerCallStreamObserver<AcquireResponse>) observer).setOnCancelHandler(() -> pending.cancel(false));
        RequestContinuation.whenDone(ctx, pending, (outcome, error) -> {
            if (outcome == null) {
                observer.onError(WireErrors.of(WireErrors.present(error)));
            } else {
                leases.releaseIfUndelivered(ctx, outcome);
                observer.onNext(LeaseOperations.response(outcome));
                observer.onCompleted();
            }
        });
    }
}
