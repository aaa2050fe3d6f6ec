package dev.holdfast.server.security;

import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.common.TlsProvider;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerTlsConfig;
import io.netty.handler.ssl.ClientAuth;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
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
        // Called at every handshake.
        server.tlsProvider(
                new TlsProvider() {
                    @Override
                    public TlsKeyPair keyPair(String hostname) {
                        return files.get().keyPair();
                    }

                    @Override
                    public List<X509Certificate> trustedCertificates(String hostname) {
                        return files.get().clientAuthorities();
                    }
                },
                config);
    }

    /**
     * The contents of a server's TLS files.
     *
     * @param clientAuthorities the authorities that may have signed client certificates; empty if clients present none
     */
    private record TlsFiles(TlsKeyPair keyPair, List<X509Certificate> clientAuthorities) {

        /** @throws IllegalArgumentException naming the file, if one cannot be parsed */
        static TlsFiles read(Path certificate, Path key, @Nullable Path clientAuthorities) throws IOException {
            TlsKeyPair pair = keyPair(certificate, key);
            requireMatch(pair, certificate, key);
            return new TlsFiles(pair, clientAuthorities == null ? List.of() : certificates(clientAuthorities));
        }

        private static TlsKeyPair keyPair(Path certificate, Path key) throws IOException {
            try (InputStream keyIn = Files.newInputStream(key);
                    InputStream certificateIn = Files.newInputStream(certificate)) {
                return TlsKeyPair.of(keyIn, certificateIn);
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalArgumentException(
                        "tls: " + certificate + " and " + key
                                + " (expected: a chain of certificates and its private key, PKCS#8, both PEM): "
                                + e.getMessage(),
                        e);
            }
        }

        /**
         * Checks that certificate and key belong together. While files are being replaced, the new one of them may be there
         * and the other not yet.
         */
        private static void requireMatch(TlsKeyPair pair, Path certificate, Path key) {
            PublicKey shown = pair.certificateChain().get(0).getPublicKey();
            String algorithm = switch (shown.getAlgorithm()) {
                case "RSA" -> "SHA256withRSA";
                case "EC" -> "SHA256withECDSA";
                default -> shown.getAlgorithm();
            };
            byte[] sample = {1, 2, 3};
            boolean matches;
            try {
                Signature signature = Signature.getInstance(algorithm);
                signature.initSign(pair.privateKey());
                signature.update(sample);
                byte[] signed = signature.sign();
                signature.initVerify(shown);
                signature.update(sample);
                matches = signature.verify(signed);
            } catch (GeneralSecurityException e) {
                matches = false;
            }
            if (!matches) {
                throw new IllegalArgumentException(
                        "tls: " + key + " (expected: the private key of the first certificate in " + certificate + ")");
            }
        }

        private static List<X509Certificate> certificates(Path file) throws IOException {
            List<X509Certificate> found = new ArrayList<>();
            try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
                CertificateFactory.getInstance("X.509")
                        .generateCertificates(in)
                        .forEach(each -> found.add((X509Certificate) each));
            } catch (CertificateException e) {
                throw new IllegalArgumentException(
                        "tls-client-ca: " + file + " (expected: certificates, PEM): " + e.getMessage(), e);
            }
            if (found.isEmpty()) {
                throw new IllegalArgumentException("tls-client-ca: " + file + " (expected: at least one certificate)");
            }
            return found;
        }
    }
}
