package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.StatusRuntimeException;
import io.netty.util.AttributeKey;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The end of requests from callers that are no longer admitted. A stream or a wait ends immediately. A request that
 * writes is left to finish: it takes only a moment, and cutting it off would suggest that nothing was applied. A call
 * stream ends by itself once all its calls have been answered. A watch ends with a last message.
 */
public final class CallerRevocation {
    private static final AttributeKey<Consumer<StatusRuntimeException>> KEY =
            AttributeKey.valueOf(CallerRevocation.class, "end");

    private static final Set<String> STREAMS =
            Set.of("/holdfast.v1.Leases/Session", "/holdfast.v1.Leases/List", "/blacksquaremedia.accord.V1/List");

    private CallerRevocation() {}

    /** Registers {@code end}, which is then called on any thread instead of cancelling the request. */
    public static void on(ServiceRequestContext ctx, Consumer<StatusRuntimeException> end) {
        ctx.setAttr(KEY, end);
    }

    public static void end(ServiceRequestContext ctx, StatusRuntimeException reason) {
        Consumer<StatusRuntimeException> registered = ctx.attr(KEY);
        if (registered != null) {
            registered.accept(reason);
        } else if (STREAMS.contains(ctx.path()) || WaitMark.isOn(ctx)) {
            ctx.cancel(reason);
        }
    }
}
