package dev.holdfast.server.security;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens in force: exactly the lines of the token file that can be parsed. An empty or deleted file admits no
 * caller.
 *
 * <p>Editors and copy commands truncate a file before they write it. So a missing line stays in force until a second
 * check also finds it missing. A line that was added or changed is in force immediately, with one exception. A last
 * line without a line break may be half written, so it takes effect only at the second check.
 *
 * <p>If the file exists and cannot be read, the tokens that were read before stay in force.
 *
 * <p>Thread-safe.
 */
final class TokensInForce {
    /** The maximum number of broken lines that one check logs. */
    private static final int MOST_LOGGED = 10;

    private static final byte[] NOTHING = {};
    private static final Logger log = LoggerFactory.getLogger(TokensInForce.class);

    private final Path path;
    private final String source;
    private final Runnable onChange;
    private volatile TokenFile inForce;
    private volatile boolean unreadable;
    private byte[] contents;
    private TokenFile lastSeen;
    private boolean twoChecksAgree = true;

    /**
     * @param onChange called after a check that changed the tokens in force
     * @throws IllegalArgumentException if the file cannot be read, has a broken line, or admits no caller
     */
    TokensInForce(Path path, Runnable onChange) {
        this.path = path;
        this.source = path.toString();
        this.onChange = onChange;
        try {
            this.contents = read();
        } catch (IOException e) {
            throw new IllegalArgumentException("the token file " + path + ": cannot be read: " + e, e);
        }
        this.inForce = TokenFile.parse(source, contents).requireUsable(source);
        this.lastSeen = inForce;
    }

    /** The current tokens; a different object after each change. */
    TokenFile get() {
        return inForce;
    }

    /** Whether the last check found a file that it could not read. */
    boolean isUnreadable() {
        return unreadable;
    }

    public void look() {
        if (hasChanged()) {
            onChange.run();
        }
    }

    private synchronized boolean hasChanged() {
        byte[] now;
        try {
            now = read();
        } catch (NoSuchFileException e) {
            now = NOTHING;
        } catch (IOException e) {
            if (!unreadable) {
                log.error(
                        "{} cannot be read, so the tokens that were read before stay in force: {}", path, e.toString());
            }
            unreadable = true;
            return false;
        }
        unreadable = false;
        boolean sameAsLastCheck = Arrays.equals(now, contents);
        if (sameAsLastCheck && twoChecksAgree) {
            return false;
        }
        twoChecksAgree = sameAsLastCheck;
        TokenFile seen = sameAsLastCheck ? TokenFile.parse(source, now) : withoutHalfWritten(now);
        reportBroken(seen);
        TokenFile next = seen.with(inForce, lastSeen.proofs());
        contents = now;
        lastSeen = seen;
        if (next.admitsSameAs(inForce) && next.brokenLines().equals(inForce.brokenLines())) {
            return false;
        }
        log.info("{} was reloaded: {} tokens are in force", path, next.proofs().size());
        inForce = next;
        return true;
    }

    /** The parsed file without a new last line that has no line break. */
    private TokenFile withoutHalfWritten(byte[] now) {
        TokenFile whole = TokenFile.parse(source, now);
        int end = now.length;
        while (end > 0 && now[end - 1] != '\n') {
            end--;
        }
        if (end == now.length) {
            return whole;
        }
        Set<String> halfWritten = new HashSet<>(whole.proofs());
        halfWritten.removeAll(TokenFile.parse(source, Arrays.copyOf(now, end)).proofs());
        halfWritten.removeIf(proof -> whole.hasSame(proof, inForce));
        return whole.without(halfWritten);
    }

    private void reportBroken(TokenFile seen) {
        List<String> broken = seen.brokenLines();
        if (broken.isEmpty() || broken.equals(lastSeen.brokenLines())) {
            return;
        }
        broken.stream().limit(MOST_LOGGED).forEach(line -> log.error("{}; this line admits no caller", line));
        if (broken.size() > MOST_LOGGED) {
            log.error("{}: {} more lines cannot be parsed", path, broken.size() - MOST_LOGGED);
        }
    }

    private byte[] read() throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] read = in.readNBytes(TokenFile.MOST_BYTES + 1);
            if (read.length > TokenFile.MOST_BYTES) {
                throw new IOException("it is longer than " + TokenFile.MOST_BYTES + " bytes");
            }
            return read;
        }
    }
}
