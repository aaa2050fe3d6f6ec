package dev.holdfast.server.security;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.limits.AddressGroup;

/** Who sent a request, as far as limits are concerned: the name it was let in by, or else the host it came from. */
public final class ClientName {
    private ClientName() {}

    public static String of(ServiceRequestContext ctx) {
        AuthenticatedCaller authenticatedCaller = AuthenticatedCaller.of(ctx);
        return authenticatedCaller == null
                ? AddressGroup.of(ctx.clientAddress())
                : "caller "
                        + authenticatedCaller
                                .permissions()
                                .map(CallerPermissions::name)
                                .orElse("");
    }
}
