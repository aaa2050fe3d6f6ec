package dev.holdfast.server.security;

import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The callers that the server admits, and their credentials. */
public final class CallerTable {
    private final @Nullable TokensInForce tokens;
    private final boolean certificates;
    private final List<Runnable> onChange = new CopyOnWriteArrayList<>();

    private CallerTable(@Nullable Path file, boolean certificates) {
        this.tokens = file == null ? null : new TokensInForce(file, () -> onChange.forEach(Runnable::run));
        this.certificates = certificates;
    }

    /**
     * The callers listed in a token file.
     *
     * @param certificates whether callers may also authenticate by the certificate of their connection
     * @throws IllegalArgumentException if the file cannot be read or parsed
     */
    public static CallerTable ofFile(Path file, boolean certificates) {
        return new CallerTable(file, certificates);
    }

    /** All callers with a certificate that the server trusts; they have all permissions. */
    public static CallerTable ofCertificates() {
        return new CallerTable(null, true);
    }

    /** No caller at all, except by a session that the server itself opened. */
    public static CallerTable ofSessions() {
        return new CallerTable(null, false);
    }

    /** Checks the token file for changes. Called every two seconds, by one thread. */
    public void look() {
        if (tokens != null) {
            tokens.look();
        }
    }

    /** Registers {@code task}, which is called after each change of the admitted callers. */
    void onChange(Runnable task) {
        onChange.add(task);
    }

    /** Whether callers come from a file. */
    public boolean hasTokens() {
        return tokens != null;
    }

    /** How many lines of the file admit a caller. */
    public int tokensInForce() {
        return tokens == null ? 0 : tokens.get().proofs().size();
    }

    /** How many lines of the file cannot be parsed. */
    public int brokenLines() {
        return tokens == null ? 0 : tokens.get().brokenLines().size();
    }

    /** Whether the file exists but could not be read the last time it was checked. */
    public boolean isUnreadable() {
        return tokens != null && tokens.isUnreadable();
    }

    /** The identity of the current version of the callers; a different object after each change. */
    Object edition() {
        return tokens == null ? this : tokens.get();
    }

    Optional<CallerPermissions> bySecret(String secret) {
        return byHash(TokenSecret.hashText(secret));
    }

    /** @param hashText of the secret, from {@link TokenSecret#hashText}: sessions outlive the request that had the secret */
    Optional<CallerPermissions> byHash(String hashText) {
        return tokens == null ? Optional.empty() : tokens.get().byHash(hashText);
    }

    /** Finds a caller by the common name of the certificate, which the TLS handshake has verified. */
    Optional<CallerPermissions> byCertificate(@Nullable SSLSession session) {
        String name = certificates && session != null ? commonName(session) : null;
        if (name == null) {
            return Optional.empty();
        }
        return tokens == null
                ? Optional.of(CallerPermissions.all(name))
                : tokens.get().byCertificate(name);
    }

    String expected() {
        if (tokens == null) {
            return certificates ? "a client certificate is required" : "only sessions of the dashboard are admitted";
        }
        return "a token is required in the header authorization: Bearer TOKEN"
                + (certificates ? ", or a client certificate listed in the server's token file" : "");
    }

    private static @Nullable String commonName(SSLSession session) {
        try {
            Certificate[] chain = session.getPeerCertificates();
            if (chain.length == 0 || !(chain[0] instanceof X509Certificate certificate)) {
                return null;
            }
            String name = certificate.getSubjectX500Principal().getName();
            for (Rdn part : new LdapName(name).getRdns()) {
                if (part.getType().equalsIgnoreCase("CN")) {
                    return String.valueOf(part.getValue());
                }
            }
            return null;
        } catch (SSLPeerUnverifiedException | InvalidNameException e) {
            return null; // No certificate, or one without a usable name: the caller is unknown.
        }
    }
}
