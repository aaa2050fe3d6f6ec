package dev.holdfast.client.link;

import dev.holdfast.client.credentials.LinkSecurity;
import dev.holdfast.client.credentials.PemTlsContext;
import dev.holdfast.wire.ProtocolVersion;
import java.util.List;
import javax.net.ssl.SSLSocketFactory;

/** The factory of HTTP links to servers, for a process without background threads. It connects on the first call. */
public final class HttpLinks {
    private HttpLinks() {}

    /**
     * @param first the index of the server to start with
     * @throws IllegalArgumentException if a certificate or key cannot be read
     */
    public static ServerLinks open(List<ServerAddress> servers, LinkSecurity linkSecurity, int first) {
        return open(servers, linkSecurity, first, ProtocolVersion.CURRENT);
    }

    /** @param own the protocol version that this client sends */
    static ServerLinks open(List<ServerAddress> servers, LinkSecurity linkSecurity, int first, ProtocolVersion own) {
        SSLSocketFactory tls =
                linkSecurity.tls() ? PemTlsContext.of(linkSecurity).getSocketFactory() : null;
        return new ServerLinks(
                servers.stream()
                        .map(server -> new HttpLink(server, tls, linkSecurity.token(), own))
                        .toList(),
                first,
                () -> {});
    }
}
