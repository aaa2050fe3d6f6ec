package dev.holdfast.server.wire;

import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.StatusRuntimeException;
import io.netty.util.AttributeKey;
import java.util.function.Consumer;

/**
 * The marks of requests that may last: whether one waits for a holder, and how it ends when its caller is no longer
 * admitted. A stream or a wait ends immediately. A request that writes is left to finish: it takes only a moment, and
 * cutting it off would suggest that nothing was applied. A call stream ends by itself once all its calls have been
 * answered. A watch ends with a last message.
 */
public final class LongRequests {
    private static final AttributeKey<Consumer<StatusRuntimeException>> END =
            AttributeKey.valueOf(LongRequests.class, "end");
    private static final AttributeKey<Boolean> WAITS = AttributeKey.valueOf(LongRequests.class, "waits");

    private LongRequests() {}

    /** Marks a request that may wait for a holder. Its duration does not count as latency of the server. */
    public static void markWaiting(RequestContext ctx) {
        ctx.setAttr(WAITS, true);
    }

    public static boolean isWaiting(RequestContext ctx) {
        return ctx.attr(WAITS) != null;
    }

    /** Registers {@code end}, which is then called on any thread instead of cancelling the request. */
    public static void onRevoked(ServiceRequestContext ctx, Consumer<StatusRuntimeException> end) {
        ctx.setAttr(END, end);
    }

    /** Ends a request of a caller that is no longer admitted. */
    public static void revoke(ServiceRequestContext ctx, StatusRuntimeException reason) {
        Consumer<StatusRuntimeException> registered = ctx.attr(END);
        if (registered != null) {
            registered.accept(reason);
        } else if (RequestPaths.endsWhenRevoked(ctx.path()) || isWaiting(ctx)) {
            ctx.cancel(reason);
        }
    }
}
