package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Relay;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.server.LeaseCalls;
import dev.holdfast.server.wire.Errors;
import dev.holdfast.server.wire.RequestContinuation;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;

/**
 * A call that may wait. Whoever goes away meanwhile leaves the line before anything is granted to him; and what was
 * granted, but could not be told, is given back.
 */
final class AcquireCall {
    private AcquireCall() {}

    static void answer(
            ServiceRequestContext ctx,
            LeaseCalls leases,
            AcquireRequest request,
            StreamObserver<AcquireResponse> observer) {
        CompletableFuture<Relay.Outcome> asked;
        try {
            asked = leases.acquire(ctx, request);
        } catch (RuntimeException e) {
            observer.onError(Errors.of(e));
            return;
        }
        ((ServerCallStreamObserver<AcquireResponse>) observer).setOnCancelHandler(() -> asked.cancel(false));
        RequestContinuation.whenDone(ctx, asked, (outcome, error) -> {
            if (outcome == null) {
                observer.onError(Errors.of(Errors.present(error)));
            } else {
                leases.giveBackIfUntold(ctx, outcome);
                observer.onNext(LeaseCalls.response(outcome));
                observer.onCompleted();
            }
        });
    }
}
