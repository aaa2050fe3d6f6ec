package dev.holdfast.server.security;

import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.common.TlsProvider;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerTlsConfig;
import dev.holdfast.server.ServerComponents;
import dev.holdfast.server.ServerExtension;
import dev.holdfast.server.operations.ReloadedFiles;
import io.netty.handler.ssl.ClientAuth;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An extension that encrypts connections with TLS and optionally requests client certificates. New connections use the
 * current contents of the files; open connections are not affected.
 */
public final class ServerTls implements ServerExtension {
    private final ReloadedFiles<TlsFiles> files;
    private final ClientAuth clientAuth;

    /** Whether clients present certificates. */
    public enum Clients {
        NO_CERTIFICATE,
        /** A client may authenticate with a token instead. */
        MAY_SHOW_ONE,
        MUST_SHOW_ONE
    }

    /** @throws IllegalArgumentException if a file cannot be read or parsed */
    public ServerTls(Path certificate, Path key, @Nullable Path clientAuthorities, Clients clients) {
        List<Path> paths = new ArrayList<>(List.of(certificate, key));
        if (clientAuthorities != null) {
            paths.add(clientAuthorities);
        }
        this.files = new ReloadedFiles<>(
                "the certificate " + certificate, paths, () -> TlsFiles.read(certificate, key, clientAuthorities));
        this.clientAuth = switch (clients) {
            case NO_CERTIFICATE -> ClientAuth.NONE;
            case MAY_SHOW_ONE -> ClientAuth.OPTIONAL;
            case MUST_SHOW_ONE -> ClientAuth.REQUIRE;
        };
    }

    /** The value to reload when its files change. */
    public ReloadedFiles<?> reloaded() {
        return files;
    }

    @Override
    public void extend(ServerBuilder server, ServerComponents parts) {
        ServerTlsConfig config =
                ServerTlsConfig.builder().clientAuth(clientAuth).build();
        server.tlsProvider(new Provider(files), config);
    }

    /** The source of key pair and trusted certificates, called at every handshake. */
    private record Provider(ReloadedFiles<TlsFiles> files) implements TlsProvider {
        @Override
        public TlsKeyPair keyPair(String hostname) {
            return files.get().keyPair();
        }

        @Override
        public List<X509Certificate> trustedCertificates(String hostname) {
            return files.get().clientAuthorities();
        }
    }
}
