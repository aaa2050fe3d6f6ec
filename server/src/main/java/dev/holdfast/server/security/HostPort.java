package dev.holdfast.server.security;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A host with an optional port, in normalized spelling: lower case, without a trailing dot, addresses as Java prints
 * them.
 *
 * @param port the default of the scheme if the text had none
 */
record HostPort(String host, int port) {
    private static final Pattern FORM =
            Pattern.compile("(?:\\[(?<v6>[0-9A-Fa-f:.]+)\\]|(?<name>[A-Za-z0-9_.~-]+))(?::(?<port>[0-9]{1,5}))?");

    /** Parses a host with an optional port, without resolving names. Null if {@code text} is neither. */
    static @Nullable HostPort parse(@Nullable String text, int defaultPort) {
        Matcher form = text == null ? null : FORM.matcher(text);
        if (form == null || !form.matches()) {
            return null;
        }
        String host = form.group("v6") != null ? address(form.group("v6")) : name(form.group("name"));
        String port = form.group("port");
        return host == null ? null : new HostPort(host, port == null ? defaultPort : Integer.parseInt(port));
    }

    private static @Nullable String name(String text) {
        String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        return name.isEmpty() ? null : name.toLowerCase(Locale.ROOT);
    }

    private static @Nullable String address(String text) {
        InetAddress address = literal(text);
        return address == null ? null : address.getHostAddress();
    }

    /** Whether this is a loopback address, which no name server can point elsewhere. */
    boolean isLoopbackAddress() {
        InetAddress address = literal(host);
        return address != null && address.isLoopbackAddress();
    }

    private static @Nullable InetAddress literal(String text) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
        try {
            return bytes == null ? null : InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            return null; // No address has this length.
        }
    }
}
