package dev.holdfast.client.link;

import dev.holdfast.internal.Check;
import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** The TLS of Java, from files in PEM. */
final class PemContext {
    private PemContext() {}

    static SSLContext of(Security security) {
        ReloadedKeys keys = keys(security);
        X509ExtendedKeyManager own = keys.own();
        X509ExtendedTrustManager trust = keys.trust();
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    own == null ? null : new KeyManager[] {own},
                    trust == null ? null : new TrustManager[] {trust},
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw unusable(e);
        }
    }

    /** @throws IllegalArgumentException if the files cannot be used */
    static ReloadedKeys keys(Security security) {
        try {
            return new ReloadedKeys(security);
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw unusable(e);
        }
    }

    static IllegalArgumentException unusable(Exception e) {
        return new IllegalArgumentException(
                Check.bad("ca, cert, key", e.getMessage(), "certificates and a key in PEM")
                        .getMessage(),
                e);
    }
}
