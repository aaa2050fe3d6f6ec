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
 * Encrypts what a server says, and asks clients for certificates if told to. New connections get what is in the files
 * now; those that are open go on.
 */
public final class ServerTls implements ServerExtension {
    private final ReloadedFiles<TlsFiles> files;
    private final ClientAuth clientAuth;

    /** Whether clients show certificates. */
    public enum Clients {
        NO_CERTIFICATE,
        /** They may, or come with a token instead. */
        MAY_SHOW_ONE,
        MUST_SHOW_ONE
    }

    /** @throws IllegalArgumentException if a file cannot be read or understood */
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

    /** What to look at now and then. */
    public ReloadedFiles<?> reloaded() {
        return files;
    }

    @Override
    public void extend(ServerBuilder server, ServerComponents parts) {
        ServerTlsConfig config =
                ServerTlsConfig.builder().clientAuth(clientAuth).build();
        server.tlsProvider(new Provider(files), config);
    }

    /** Asked at every handshake. */
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
