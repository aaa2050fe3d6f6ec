package dev.holdfast.server.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.support.ArgumentCheck;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The secret that a client presents, and the hash of it that the server stores.
 *
 * <p>A secret is 32 bytes from a secure random source. It cannot be guessed, and a plain hash reveals nothing about it.
 * The slow hashes that passwords need would only slow down every request.
 */
public final class TokenSecret {
    /** Makes a secret recognizable when it appears in a log. */
    private static final String PREFIX = "hf_";

    private static final String HASH_PREFIX = "sha256:";

    private TokenSecret() {}

    public static String create() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** The hash in the form used in the token file. */
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

    /** Normalizes a hash to the form that {@link #hashText} writes. */
    static String normalHash(String text) {
        String hex = text.substring(HASH_PREFIX.length());
        if (!hex.matches("[0-9a-fA-F]{64}")) {
            // Not shown, because it may be a misplaced secret.
            throw ArgumentCheck.bad("hash", hex.length() + " characters", "sha256: and 64 hexadecimal digits");
        }
        return HASH_PREFIX + hex.toLowerCase(Locale.ROOT);
    }
}
