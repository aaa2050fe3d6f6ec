package dev.holdfast.server.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.internal.ArgumentCheck;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;

/**
 * What a client shows, and what the server keeps of it.
 *
 * <p>A secret is 32 bytes from a good source, so nobody can guess it, and a plain hash of it tells nothing: the slow
 * hashes that passwords need would only slow down every request.
 */
public final class TokenSecret {
    /** So that whoever finds one in a log knows what it is. */
    private static final String PREFIX = "hf_";

    private static final String HASH_PREFIX = "sha256:";

    private TokenSecret() {}

    public static String create() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** As it stands in the file. */
    public static String hashText(String secret) {
        return HASH_PREFIX + HexFormat.of().formatHex(hash(secret));
    }

    static byte[] hash(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    static boolean isHash(String text) {
        return text.startsWith(HASH_PREFIX);
    }

    /** A hash as {@link #hashText} writes it. */
    static String normalHash(String text) {
        String hex = text.substring(HASH_PREFIX.length());
        if (!hex.matches("[0-9a-fA-F]{64}")) {
            // Not shown: it may be a secret that somebody pasted in the wrong place.
            throw ArgumentCheck.bad("hash", hex.length() + " characters", "sha256: and 64 hexadecimal digits");
        }
        return HASH_PREFIX + hex.toLowerCase(Locale.ROOT);
    }
}
