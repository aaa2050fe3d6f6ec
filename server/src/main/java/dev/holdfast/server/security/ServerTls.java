package dev.holdfast.server.security;

import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.common.TlsProvider;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerTlsConfig;
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
public final class ServerTls {
    private final ReloadedFiles<TlsFiles> files;
    private final ClientAuth clientAuth;

    /**
     * @param clientAuth whether clients must present certificates, may do so, or have none
     * @throws IllegalArgumentException if a file cannot be read or parsed
     */
    public ServerTls(Path certificate, Path key, @Nullable Path clientAuthorities, ClientAuth clientAuth) {
        List<Path> paths = new ArrayList<>(List.of(certificate, key));
        if (clientAuthorities != null) {
            paths.add(clientAuthorities);
        }
        this.files = new ReloadedFiles<>(
                "the certificate " + certificate, paths, () -> TlsFiles.read(certificate, key, clientAuthorities));
        this.clientAuth = clientAuth;
    }

    /** The value to reload when its files change. */
    public ReloadedFiles<?> reloaded() {
        return files;
    }

    public void extend(ServerBuilder server) {
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
