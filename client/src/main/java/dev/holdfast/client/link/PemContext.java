package dev.holdfast.client.link;

import dev.holdfast.internal.Check;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** The TLS of Java, from files in PEM. */
final class PemContext {
    /** A key store needs one, in memory too. */
    private static final char[] NO_PASSWORD = new char[0];

    private PemContext() {}

    static SSLContext of(Security security) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own(security), trusted(security), null);
            return context;
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    Check.bad("ca, cert, key", e.getMessage(), "certificates and a key in PEM")
                            .getMessage(),
                    e);
        }
    }

    private static TrustManager @Nullable [] trusted(Security security) throws GeneralSecurityException, IOException {
        if (security.ca() == null) {
            return null;
        }
        KeyStore trusted = empty();
        int count = 0;
        for (Certificate certificate : certificates(security.ca())) {
            trusted.setCertificateEntry("ca-" + count++, certificate);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory.getTrustManagers();
    }

    private static KeyManager @Nullable [] own(Security security) throws GeneralSecurityException, IOException {
        if (security.certificate() == null || security.key() == null) {
            return null;
        }
        KeyStore own = empty();
        Certificate[] chain = certificates(security.certificate()).toArray(Certificate[]::new);
        own.setKeyEntry("own", key(security.key(), chain[0].getPublicKey().getAlgorithm()), NO_PASSWORD, chain);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(own, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static List<Certificate> certificates(Path file) throws GeneralSecurityException, IOException {
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (found.isEmpty()) {
                throw new IllegalArgumentException("no certificate in " + file);
            }
            return List.copyOf(found);
        }
    }

    private static PrivateKey key(Path file, String algorithm) throws GeneralSecurityException, IOException {
        String text = Files.readString(file);
        int begin = text.indexOf("-----BEGIN PRIVATE KEY-----");
        int end = text.indexOf("-----END PRIVATE KEY-----");
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException("no PRIVATE KEY (PKCS #8, without a password) in " + file);
        }
        String body = text.substring(begin + "-----BEGIN PRIVATE KEY-----".length(), end);
        return KeyFactory.getInstance(algorithm)
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(body)));
    }
}
