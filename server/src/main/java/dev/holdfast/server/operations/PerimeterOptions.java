package dev.holdfast.server.operations;

import dev.holdfast.server.limits.ServerLimits;
import dev.holdfast.server.security.CallerTable;
import dev.holdfast.server.security.ServerTls;
import io.netty.handler.ssl.ClientAuth;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options for authentication, TLS and limits. Immutable; made by {@link #builder}.
 *
 * @param isInsecure whether the server is explicitly allowed to accept requests without authentication from other hosts
 * @param isSessionsOnly whether no caller is admitted except by a session that the server itself opens
 * @param allowedHosts the host names that requests may address the server by, besides its own
 */
public record PerimeterOptions(
        @Nullable Path tokens,
        @Nullable Path certificate,
        @Nullable Path key,
        @Nullable Path clientAuthorities,
        boolean isInsecure,
        boolean isSessionsOnly,
        List<String> allowedHosts,
        ServerLimits limits) {
    public PerimeterOptions {
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("--tls-cert and --tls-key: only one of them (expected: both or none)");
        }
        if (clientAuthorities != null && certificate == null) {
            throw new IllegalArgumentException(
                    "--tls-client-ca: without --tls-cert (expected: both, as client certificates need TLS)");
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    /** @throws IllegalArgumentException if other hosts could reach a server without authentication */
    void requireMayListenOn(InetSocketAddress listen) {
        boolean isLocal = listen.getAddress() != null && listen.getAddress().isLoopbackAddress();
        if (!isLocal && tokens == null && clientAuthorities == null && !isInsecure && !isSessionsOnly) {
            throw new IllegalArgumentException("listen: " + listen.getHostString() + ":" + listen.getPort()
                    + " (expected: a loopback address such as 127.0.0.1, or --tokens FILE, or --tls-client-ca FILE; or"
                    + " --insecure, which accepts requests without authentication)");
        }
    }

    @Nullable
    ServerTls tls() {
        if (certificate == null || key == null) {
            return null;
        }
        // With a token file, a client may authenticate with a token instead.
        ClientAuth clients =
                clientAuthorities == null ? ClientAuth.NONE : tokens == null ? ClientAuth.REQUIRE : ClientAuth.OPTIONAL;
        return new ServerTls(certificate, key, clientAuthorities, clients);
    }

    /** The admitted callers; null if the server does not authenticate. */
    @Nullable
    CallerTable callers() {
        if (tokens != null) {
            return CallerTable.ofFile(tokens, clientAuthorities != null);
        }
        if (isSessionsOnly) {
            return CallerTable.ofSessions();
        }
        return clientAuthorities == null ? null : CallerTable.ofCertificates();
    }

    /** Builder of {@link PerimeterOptions}. */
    public static final class Builder {
        private @Nullable Path tokens;
        private @Nullable Path certificate;
        private @Nullable Path key;
        private @Nullable Path clientAuthorities;
        private boolean insecure;
        private boolean sessionsOnly;
        private List<String> allowedHosts = List.of();
        private ServerLimits limits = ServerLimits.DEFAULT;

        private Builder() {}

        /** The token file, which lists the admitted callers. */
        public Builder tokens(@Nullable Path newTokens) {
            tokens = newTokens;
            return this;
        }

        /** The server's certificate chain and its private key; PEM. */
        public Builder tls(@Nullable Path newCertificate, @Nullable Path newKey) {
            certificate = newCertificate;
            key = newKey;
            return this;
        }

        /** The certificate authorities of client certificates; PEM. */
        public Builder clientAuthorities(@Nullable Path newAuthorities) {
            clientAuthorities = newAuthorities;
            return this;
        }

        /** Accepts requests without authentication on any listen address. */
        public Builder insecure(boolean newInsecure) {
            insecure = newInsecure;
            return this;
        }

        /** Admits no caller except by sessions that the server itself opens: see {@link ServerPerimeter#sessions}. */
        public Builder sessionsOnly(boolean newSessionsOnly) {
            sessionsOnly = newSessionsOnly;
            return this;
        }

        /** Further names of the server, and of the sites with pages that may call it. Default: none. */
        public Builder allowedHosts(List<String> newNames) {
            allowedHosts = List.copyOf(newNames);
            return this;
        }

        public Builder limits(ServerLimits newLimits) {
            limits = newLimits;
            return this;
        }

        /** @throws IllegalArgumentException if an option is given without another one that it needs */
        public PerimeterOptions build() {
            return new PerimeterOptions(
                    tokens, certificate, key, clientAuthorities, insecure, sessionsOnly, allowedHosts, limits);
        }
    }
}
