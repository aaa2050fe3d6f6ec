package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.wire.Errors;
import dev.holdfast.server.wire.RequestContinuation;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** One question, one answer. */
final class Unary {
    private Unary() {}

    static <T> void answer(Supplier<CompletionStage<T>> call, StreamObserver<T> observer) {
        ServiceRequestContext ctx = ServiceRequestContext.current();
        CompletionStage<T> stage;
        try {
            stage = call.get();
        } catch (RuntimeException e) {
            observer.onError(Errors.of(e));
            return;
        }
        RequestContinuation.whenDone(ctx, stage, (response, error) -> {
            if (response == null) {
                observer.onError(Errors.of(Errors.present(error)));
            } else {
                observer.onNext(response);
                observer.onCompleted();
            }
        });
    }
}
