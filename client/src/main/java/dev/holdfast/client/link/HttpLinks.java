package dev.holdfast.client.link;

import dev.holdfast.wire.ProtocolVersion;
import java.util.List;
import javax.net.ssl.SSLSocketFactory;

/** Opens ways to servers for a process without threads. Nothing connects before the first call. */
public final class HttpLinks {
    private HttpLinks() {}

    /**
     * @param first which to begin with
     * @throws IllegalArgumentException if a certificate or key cannot be read
     */
    public static Links open(List<Address> servers, Security security, int first) {
        return open(servers, security, first, ProtocolVersion.CURRENT);
    }

    /** @param own the version that this client states */
    static Links open(List<Address> servers, Security security, int first, ProtocolVersion own) {
        SSLSocketFactory tls = security.tls() ? PemContext.of(security).getSocketFactory() : null;
        return new Links(
                servers.stream()
                        .map(server -> new HttpLink(server, tls, security.token(), own))
                        .toList(),
                first,
                () -> {});
    }
}
