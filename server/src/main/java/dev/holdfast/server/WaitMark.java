package dev.holdfast.server;

import com.linecorp.armeria.common.RequestContext;
import io.netty.util.AttributeKey;

/**
 * The mark of requests that may wait for a holder to release its lease. Their duration does not count as latency of the
 * server.
 */
public final class WaitMark {
    private static final AttributeKey<Boolean> KEY = AttributeKey.valueOf(WaitMark.class, "waits");

    private WaitMark() {}

    static void set(RequestContext ctx) {
        ctx.setAttr(KEY, true);
    }

    public static boolean isOn(RequestContext ctx) {
        return ctx.attr(KEY) != null;
    }
}
