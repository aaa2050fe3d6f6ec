package dev.holdfast.client.credentials;

import dev.holdfast.support.ArgumentCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bearer token that a client sends with every call. A token from a file is read again after the file has changed. A
 * file that is missing or holds no token changes nothing.
 *
 * <p>Thread-safe. The token never appears in a message or in {@code toString}.
 */
public final class BearerTokenFile {
    /** How often the file is checked. */
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger log = LoggerFactory.getLogger(BearerTokenFile.class);

    private final @Nullable Path file;
    private String token;
    private long checkedNanos;
    private @Nullable FileTimestamp stamp;

    private BearerTokenFile(@Nullable Path file, String token, @Nullable FileTimestamp stamp) {
        this.file = file;
        this.token = token;
        this.stamp = stamp;
        this.checkedNanos = System.nanoTime();
    }

    public static BearerTokenFile of(String token) {
        return new BearerTokenFile(null, token, null);
    }

    /** @throws IllegalArgumentException if the file cannot be read, or does not hold exactly one token */
    public static BearerTokenFile ofFile(Path file) {
        try {
            FileTimestamp stamp = FileTimestamp.of(file);
            return new BearerTokenFile(file, read(file), stamp);
        } catch (IOException e) {
            throw ArgumentCheck.bad("token-file", file, "a file that can be read");
        }
    }

    private static String read(Path file) throws IOException {
        String token = Files.readString(file).strip();
        if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw ArgumentCheck.bad("token-file", file, "one token and nothing else");
        }
        return token;
    }

    /** Returns the token. It is a different object only after it has changed. */
    public synchronized String get() {
        if (file != null && System.nanoTime() - checkedNanos >= EVERY_NANOS) {
            reloadIfChanged(file);
        }
        return token;
    }

    /** Returns the token as it is in the file now, for a retry after the token was rejected. */
    public synchronized String reread() {
        if (file != null) {
            reloadIfChanged(file);
        }
        return token;
    }

    private void reloadIfChanged(Path path) {
        checkedNanos = System.nanoTime();
        try {
            FileTimestamp now = FileTimestamp.of(path);
            if (now.equals(stamp)) {
                return;
            }
            String read = read(path);
            stamp = now;
            if (!read.equals(token)) {
                token = read;
                log.info("{} holds a new token, which is used from now on", path);
            }
        } catch (IOException | IllegalArgumentException e) {
            log.debug("{} cannot be read, so the client keeps its token", path, e);
        }
    }

    @Override
    public String toString() {
        return "a token";
    }
}
