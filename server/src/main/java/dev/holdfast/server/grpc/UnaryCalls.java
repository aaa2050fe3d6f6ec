package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.wire.RequestContinuation;
import dev.holdfast.server.wire.WireErrors;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Unary gRPC calls: one request, one response. */
final class UnaryCalls {
    private UnaryCalls() {}

    static <T> void respond(Supplier<CompletionStage<T>> call, StreamObserver<T> observer) {
        ServiceRequestContext ctx = ServiceRequestContext.current();
        CompletionStage<T> stage;
        try {
            stage = call.get();
        } catch (RuntimeException e) {
            observer.onError(WireErrors.of(e));
            return;
        }
        RequestContinuation.whenDone(ctx, stage, (response, error) -> {
            if (response == null) {
                observer.onError(WireErrors.of(WireErrors.present(error)));
            } else {
                observer.onNext(response);
                observer.onCompleted();
            }
        });
    }
}
