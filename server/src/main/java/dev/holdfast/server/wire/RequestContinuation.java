package dev.holdfast.server.wire;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.support.Futures;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The continuation of a request once its result is available.
 *
 * <p>The result may come from another request: a release hands its key over to a waiting acquire on the thread of the
 * release, within its context. Armeria refuses to continue a request within the context of another, and would skip the
 * actions at its end. So a request continues on its own event loop and within its own context.
 */
public final class RequestContinuation {
    private RequestContinuation() {}

    /** Calls {@code handler} with the result, or the error and no result, within the context of {@code ctx}. */
    public static <T> void whenDone(
            ServiceRequestContext ctx, CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> handler) {
        Futures.whenDone(stage, (value, error) -> {
            if (ServiceRequestContext.currentOrNull() == ctx && ctx.eventLoop().inEventLoop()) {
                handler.accept(value, error);
            } else {
                ctx.eventLoop().execute(() -> handler.accept(value, error));
            }
        });
    }

    /** Responds to the unary gRPC call in the current context with the result of {@code call}, or with its error. */
    public static <T, R> void respond(
            Supplier<? extends CompletionStage<T>> call, Function<T, R> toResponse, StreamObserver<R> observer) {
        ServiceRequestContext ctx = ServiceRequestContext.current();
        CompletionStage<T> stage;
        try {
            stage = call.get();
        } catch (RuntimeException e) {
            observer.onError(WireErrors.of(e));
            return;
        }
        whenDone(ctx, stage, (value, error) -> {
            if (value == null) {
                observer.onError(WireErrors.of(error));
            } else {
                observer.onNext(toResponse.apply(value));
                observer.onCompleted();
            }
        });
    }
}
