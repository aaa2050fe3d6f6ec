package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Relay;
import dev.holdfast.internal.Futures;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.server.LeaseCalls;
import dev.holdfast.server.wire.Errors;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A call that may wait. Whoever goes away meanwhile leaves the line before anything is granted to him; and what was
 * granted, but could not be told, is given back.
 */
final class AcquireCall {
    private AcquireCall() {}

    static void answer(
            ServiceRequestContext ctx,
            LeaseCalls calls,
            Supplier<CompletableFuture<Relay.Outcome>> call,
            StreamObserver<AcquireResponse> observer) {
        ServerCallStreamObserver<AcquireResponse> caller = (ServerCallStreamObserver<AcquireResponse>) observer;
        CompletableFuture<Relay.Outcome> asked;
        try {
            asked = call.get();
        } catch (RuntimeException e) {
            observer.onError(Errors.of(e));
            return;
        }
        caller.setOnCancelHandler(() -> asked.cancel(false));
        Futures.whenDone(asked, (outcome, error) -> {
            if (outcome == null) {
                observer.onError(Errors.of(error == null ? new IllegalStateException("no answer") : error));
                return;
            }
            // A response that was not written to its end was not heard: a caller believes only a whole one.
            Futures.whenDone(ctx.log().whenComplete(), (log, failure) -> {
                if (log == null || log.responseCause() != null) {
                    calls.giveBack(outcome);
                }
            });
            observer.onNext(LeaseCalls.response(outcome));
            observer.onCompleted();
        });
    }
}
