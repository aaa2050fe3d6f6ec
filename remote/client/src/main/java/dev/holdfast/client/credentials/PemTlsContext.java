package dev.holdfast.client.credentials;

import dev.holdfast.support.ArgumentCheck;
import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** The factory of Java TLS contexts from PEM files. */
public final class PemTlsContext {
    private PemTlsContext() {}

    public static SSLContext of(LinkSecurity linkSecurity) {
        ReloadedKeyMaterial keys = keys(linkSecurity);
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
    public static ReloadedKeyMaterial keys(LinkSecurity linkSecurity) {
        try {
            return new ReloadedKeyMaterial(linkSecurity);
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw unusable(e);
        }
    }

    public static IllegalArgumentException unusable(Exception e) {
        return new IllegalArgumentException(
                ArgumentCheck.bad("ca, cert, key", e.getMessage(), "certificates and a key in PEM")
                        .getMessage(),
                e);
    }
}
