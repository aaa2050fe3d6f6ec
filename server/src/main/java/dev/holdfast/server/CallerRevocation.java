package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.StatusRuntimeException;
import io.netty.util.AttributeKey;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The end of a request whose caller is not admitted any more. A stream or a wait ends at once. A request that writes is
 * left alone: it takes a moment, and cut off it would look as if nothing had been applied. A stream of calls ends by
 * itself, once all of them are answered, and a watch by a last message.
 */
public final class CallerRevocation {
    private static final AttributeKey<Consumer<StatusRuntimeException>> KEY =
            AttributeKey.valueOf(CallerRevocation.class, "end");

    private static final Set<String> STREAMS =
            Set.of("/holdfast.v1.Leases/Session", "/holdfast.v1.Leases/List", "/blacksquaremedia.accord.V1/List");

    private CallerRevocation() {}

    /** Has {@code end} called, on any thread, instead of the request being cut off. */
    public static void on(ServiceRequestContext ctx, Consumer<StatusRuntimeException> end) {
        ctx.setAttr(KEY, end);
    }

    public static void end(ServiceRequestContext ctx, StatusRuntimeException reason) {
        Consumer<StatusRuntimeException> own = ctx.attr(KEY);
        if (own != null) {
            own.accept(reason);
        } else if (STREAMS.contains(ctx.path()) || WaitMark.isOn(ctx)) {
            ctx.cancel(reason);
        }
    }
}
