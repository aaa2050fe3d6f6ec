package dev.holdfast.server.auth;

import com.linecorp.armeria.server.ServiceRequestContext;

/** Who sent a request, as far as limits are concerned: the name it was let in by, or else the host it came from. */
public final class ClientName {
    private ClientName() {}

    public static String of(ServiceRequestContext ctx) {
        Permissions caller = Caller.of(ctx);
        return caller != null ? "caller " + caller.name() : ctx.clientAddress().getHostAddress();
    }
}
