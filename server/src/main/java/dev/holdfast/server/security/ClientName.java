package dev.holdfast.server.security;

import com.linecorp.armeria.server.ServiceRequestContext;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The name under which limits count a client: the name of the authenticated caller, or else the address of its host.
 */
public final class ClientName {
    private static final int NETWORK_BYTES = 8;

    private ClientName() {}

    public static String of(ServiceRequestContext ctx) {
        AuthenticatedCaller caller = AuthenticatedCaller.of(ctx);
        return caller == null
                ? ofAddress(ctx.clientAddress())
                : "caller " + caller.permissions().map(CallerPermissions::name).orElse("");
    }

    /**
     * The whole IPv4 address, or the network part (64 bits) of an IPv6 address: a host can have any number of addresses
     * in its network, but only one network.
     */
    public static String ofAddress(InetAddress address) {
        if (address instanceof Inet6Address && !address.isLoopbackAddress()) {
            return HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), NETWORK_BYTES)) + "/64";
        }
        return address.getHostAddress();
    }
}
