package dev.holdfast.server.grpc;

import dev.holdfast.internal.Futures;
import dev.holdfast.server.wire.Errors;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** One question, one answer. */
final class Unary {
    private Unary() {}

    static <T> void answer(Supplier<CompletionStage<T>> call, StreamObserver<T> observer) {
        CompletionStage<T> stage;
        try {
            stage = call.get();
        } catch (RuntimeException e) {
            observer.onError(Errors.of(e));
            return;
        }
        Futures.whenDone(stage, (response, error) -> {
            if (response == null) {
                observer.onError(Errors.of(Errors.present(error)));
            } else {
                observer.onNext(response);
                observer.onCompleted();
            }
        });
    }
}
