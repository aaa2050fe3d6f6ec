package dev.holdfast.server.security;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.limits.AddressGroup;

/**
 * The name under which limits count a client: the name of the authenticated caller, or else the address of its host.
 */
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
