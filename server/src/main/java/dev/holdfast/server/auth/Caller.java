package dev.holdfast.server.auth;

import com.linecorp.armeria.common.RequestContext;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/** Ties to a request whoever was found to have sent it. */
final class Caller {
    private static final AttributeKey<Permissions> KEY = AttributeKey.valueOf(Caller.class, "permissions");

    private Caller() {}

    static void set(RequestContext ctx, Permissions permissions) {
        ctx.setAttr(KEY, permissions);
    }

    static @Nullable Permissions of(RequestContext ctx) {
        return ctx.attr(KEY);
    }
}
