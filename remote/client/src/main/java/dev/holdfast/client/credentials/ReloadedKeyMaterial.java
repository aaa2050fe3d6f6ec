package dev.holdfast.client.credentials;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates and the key of a client, from PEM files. The files are checked at every new connection, and read
 * again if they have changed. Unusable files change nothing, and are logged.
 *
 * <p>Thread-safe.
 */
public final class ReloadedKeyMaterial {
    private static final Logger log = LoggerFactory.getLogger(ReloadedKeyMaterial.class);

    private final LinkSecurity linkSecurity;
    private final List<Path> files = new ArrayList<>();
    private List<FileTimestamp> stamps;
    private Loaded loaded;
    /** A handshake that began before a change still requests the key that it has chosen. */
    private Loaded loadedBefore;

    /** The content of the files at one time. The {@code number} distinguishes it from other times. */
    private record Loaded(
            long number,
            @Nullable X509ExtendedTrustManager trust,
            @Nullable X509ExtendedKeyManager own) {
        String alias(String name) {
            return number + " " + name;
        }
    }

    /** @throws GeneralSecurityException or another exception, if the files cannot be used */
    ReloadedKeyMaterial(LinkSecurity linkSecurity) throws GeneralSecurityException, IOException {
        this.linkSecurity = linkSecurity;
        for (Path file : new @Nullable Path[] {linkSecurity.ca(), linkSecurity.certificate(), linkSecurity.key()}) {
            if (file != null) {
                files.add(file);
            }
        }
        this.stamps = stamps();
        this.loaded = load(0);
        this.loadedBefore = loaded;
    }

    private List<FileTimestamp> stamps() throws IOException {
        List<FileTimestamp> now = new ArrayList<>();
        for (Path file : files) {
            now.add(FileTimestamp.of(file));
        }
        return now;
    }

    private Loaded load(long number) throws GeneralSecurityException, IOException {
        return new Loaded(
                number,
                PemFiles.trusted(linkSecurity.ca()),
                PemFiles.own(linkSecurity.certificate(), linkSecurity.key()));
    }

    /** Returns null if the client trusts the certificates of the system. */
    @Nullable
    public X509ExtendedTrustManager trust() {
        return loaded.trust == null ? null : new Trust();
    }

    /** Returns null if the client has no certificate. */
    @Nullable
    public X509ExtendedKeyManager own() {
        return loaded.own == null ? null : new Own();
    }

    private synchronized Loaded current() {
        try {
            List<FileTimestamp> now = stamps();
            if (!now.equals(stamps)) {
                Loaded next = load(loaded.number + 1);
                loadedBefore = loaded;
                loaded = next;
                stamps = now;
                log.info("{} have changed, and are used for new connections", files);
            }
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            log.warn(
                    "{} have changed but cannot be used, so the client keeps its certificates: {}",
                    files,
                    e.toString());
        }
        return loaded;
    }

    private synchronized @Nullable Loaded chosen(String alias) {
        return alias.startsWith(loaded.number + " ")
                ? loaded
                : alias.startsWith(loadedBefore.number + " ") ? loadedBefore : null;
    }

    private final class Own extends X509ExtendedKeyManager {
        @Override
        public @Nullable String chooseEngineClientAlias(
                String[] keyType, Principal @Nullable [] issuers, SSLEngine engine) {
            Loaded now = current();
            String alias = own(now).chooseEngineClientAlias(keyType, issuers, engine);
            return alias == null ? null : now.alias(alias);
        }

        @Override
        public @Nullable String chooseClientAlias(String[] keyType, Principal @Nullable [] issuers, Socket socket) {
            Loaded now = current();
            String alias = own(now).chooseClientAlias(keyType, issuers, socket);
            return alias == null ? null : now.alias(alias);
        }

        @Override
        public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
            Loaded now = current();
            String[] aliases = own(now).getClientAliases(keyType, issuers);
            if (aliases != null) {
                for (int i = 0; i < aliases.length; i++) {
                    aliases[i] = now.alias(aliases[i]);
                }
            }
            return aliases;
        }

        @Override
        public X509Certificate @Nullable [] getCertificateChain(String alias) {
            Loaded of = chosen(alias);
            return of == null ? null : own(of).getCertificateChain(name(alias));
        }

        @Override
        public @Nullable PrivateKey getPrivateKey(String alias) {
            Loaded of = chosen(alias);
            return of == null ? null : own(of).getPrivateKey(name(alias));
        }

        @Override
        public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
            return null;
        }

        @Override
        public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, Socket socket) {
            return null;
        }

        private static X509ExtendedKeyManager own(Loaded of) {
            return Objects.requireNonNull(of.own);
        }

        private static String name(String alias) {
            return alias.substring(alias.indexOf(' ') + 1);
        }
    }

    private final class Trust extends X509ExtendedTrustManager {
        private X509ExtendedTrustManager now() {
            return Objects.requireNonNull(current().trust);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            now().checkServerTrusted(chain, type, engine);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            now().checkServerTrusted(chain, type, socket);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            now().checkServerTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            now().checkClientTrusted(chain, type, engine);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            now().checkClientTrusted(chain, type, socket);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            now().checkClientTrusted(chain, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return now().getAcceptedIssuers();
        }
    }
}
