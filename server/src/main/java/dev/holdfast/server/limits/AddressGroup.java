package dev.holdfast.server.limits;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The address under which limits count a peer: the whole IPv4 address, or the network part (64 bits) of an IPv6
 * address.
 */
public final class AddressGroup {
    private static final int NETWORK_BYTES = 8;

    private AddressGroup() {}

    /** The network part only for IPv6: a host can have any number of addresses in its network, but only one network. */
    public static String of(InetAddress address) {
        if (address instanceof Inet6Address && !address.isLoopbackAddress()) {
            return HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), NETWORK_BYTES)) + "/64";
        }
        return address.getHostAddress();
    }
}
