package dev.holdfast.server.limits;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/** The address that a peer is counted under: all of an IPv4 address, and the network part (64 bits) of an IPv6 address. */
public final class AddressGroup {
    private static final int NETWORK_BYTES = 8;

    private AddressGroup() {}

    /** One host can have any number of addresses in an IPv6 network, but only one network. */
    public static String of(InetAddress address) {
        if (address instanceof Inet6Address && !address.isLoopbackAddress()) {
            return HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), NETWORK_BYTES)) + "/64";
        }
        return address.getHostAddress();
    }
}
