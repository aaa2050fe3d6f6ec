package dev.holdfast.server.wire;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.support.Futures;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
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
            if (isWithin(ctx)) {
                handler.accept(value, error);
            } else {
                ctx.eventLoop().execute(() -> handler.accept(value, error));
            }
        });
    }

    private static boolean isWithin(ServiceRequestContext ctx) {
        return ServiceRequestContext.currentOrNull() == ctx && ctx.eventLoop().inEventLoop();
    }
}
