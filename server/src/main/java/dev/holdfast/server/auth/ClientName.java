package dev.holdfast.server.auth;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.limit.AddressGroup;

/** Who sent a request, as far as limits are concerned: the name it was let in by, or else the host it came from. */
public final class ClientName {
    private ClientName() {}

    public static String of(ServiceRequestContext ctx) {
        Caller caller = Caller.of(ctx);
        return caller == null
                ? AddressGroup.of(ctx.clientAddress())
                : "caller " + caller.permissions().map(Permissions::name).orElse("");
    }
}
