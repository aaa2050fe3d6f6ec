package dev.holdfast.client.credentials;

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
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** The loader of certificates and keys from PEM files. */
final class PemFiles {
    /** A key store needs a password, even in memory. */
    private static final char[] NO_PASSWORD = new char[0];

    private PemFiles() {}

    /** Returns null if no file is given. */
    static @Nullable X509ExtendedTrustManager trusted(@Nullable Path ca) throws GeneralSecurityException, IOException {
        if (ca == null) {
            return null;
        }
        KeyStore trusted = empty();
        int count = 0;
        for (Certificate certificate : certificates(ca)) {
            trusted.setCertificateEntry("ca-" + count++, certificate);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return only(X509ExtendedTrustManager.class, factory.getTrustManagers());
    }

    /** Returns null if no file is given. */
    static @Nullable X509ExtendedKeyManager own(@Nullable Path certificate, @Nullable Path key)
            throws GeneralSecurityException, IOException {
        if (certificate == null || key == null) {
            return null;
        }
        KeyStore own = empty();
        Certificate[] chain = certificates(certificate).toArray(Certificate[]::new);
        own.setKeyEntry("own", key(key, chain[0].getPublicKey().getAlgorithm()), NO_PASSWORD, chain);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(own, NO_PASSWORD);
        return only(X509ExtendedKeyManager.class, factory.getKeyManagers());
    }

    private static <T> T only(Class<T> type, Object[] managers) throws GeneralSecurityException {
        for (Object manager : managers) {
            if (type.isInstance(manager)) {
                return type.cast(manager);
            }
        }
        throw new GeneralSecurityException("no " + type.getSimpleName());
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
