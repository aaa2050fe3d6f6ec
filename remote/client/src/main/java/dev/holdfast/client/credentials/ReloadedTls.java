package dev.holdfast.client.credentials;

import dev.holdfast.support.ArgumentCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS context of a client, made from certificates and a key in PEM files. The files are checked at every new
 * connection, and the context is made again if they have changed. Unusable files change nothing, and are logged.
 *
 * <p>Thread-safe.
 */
public final class ReloadedTls<T> {
    private static final Logger log = LoggerFactory.getLogger(ReloadedTls.class);

    private final LinkSecurity security;
    private final ContextFactory<T> factory;
    private final List<Path> files;
    private List<FileTimestamp> stamps;
    private T context;

    /** Makes a context. */
    public interface ContextFactory<T> {
        /**
         * @param trust null to trust the certificates of the system
         * @param own null if the client has no certificate
         */
        T make(@Nullable X509TrustManager trust, @Nullable X509KeyManager own)
                throws GeneralSecurityException, IOException;
    }

    private ReloadedTls(LinkSecurity security, ContextFactory<T> factory) throws GeneralSecurityException, IOException {
        this.security = security;
        this.factory = factory;
        this.files = Stream.of(security.ca(), security.certificate(), security.key())
                .filter(Objects::nonNull)
                .toList();
        this.stamps = stamps();
        this.context = load();
    }

    /** @throws IllegalArgumentException if the files cannot be used */
    public static <T> ReloadedTls<T> open(LinkSecurity security, ContextFactory<T> factory) {
        try {
            return new ReloadedTls<>(security, factory);
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    ArgumentCheck.bad("ca, cert, key", e.getMessage(), "certificates and a key in PEM")
                            .getMessage(),
                    e);
        }
    }

    /** Makes the context of Java's own sockets. */
    public static SSLSocketFactory socketFactory(@Nullable X509TrustManager trust, @Nullable X509KeyManager own)
            throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                own == null ? null : new KeyManager[] {own}, trust == null ? null : new TrustManager[] {trust}, null);
        return context.getSocketFactory();
    }

    private List<FileTimestamp> stamps() throws IOException {
        List<FileTimestamp> now = new ArrayList<>();
        for (Path file : files) {
            now.add(FileTimestamp.of(file));
        }
        return now;
    }

    private T load() throws GeneralSecurityException, IOException {
        return factory.make(PemFiles.trusted(security.ca()), PemFiles.own(security.certificate(), security.key()));
    }

    /** Returns the context for a new connection. */
    public synchronized T current() {
        try {
            List<FileTimestamp> now = stamps();
            if (!now.equals(stamps)) {
                context = load();
                stamps = now;
                log.info("{} have changed, and are used for new connections", files);
            }
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            log.warn(
                    "{} have changed but cannot be used, so the client keeps its certificates: {}",
                    files,
                    e.toString());
        }
        return context;
    }
}
