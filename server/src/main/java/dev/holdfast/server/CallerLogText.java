package dev.holdfast.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The name of a caller in a form that is safe in a key: the name itself, or its hash if it is long or has special
 * characters.
 */
public final class CallerLogText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._@+-]{1,128}");

    private CallerLogText() {}

    public static String of(String name) {
        return PLAIN.matcher(name).matches() ? name : "sha256:" + hash(name);
    }

    private static String hash(String name) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
