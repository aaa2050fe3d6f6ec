package dev.holdfast.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.LinkedHashSet;
import java.util.Set;

/** Redaction that replaces the passwords of a URL in any text. */
final class PasswordRedaction {
    static final PasswordRedaction NONE = new PasswordRedaction(Set.of());

    private static final String HIDDEN = "***";

    private final Set<String> secrets;

    private PasswordRedaction(Set<String> secrets) {
        this.secrets = secrets;
    }

    /**
     * Finds {@code scheme://user:password@host}, and parameters with a name that ends in "password", "secret" or
     * "token".
     */
    static PasswordRedaction of(String url) {
        int authority = url.indexOf("://");
        if (authority < 0) {
            return NONE;
        }
        Set<String> secrets = new LinkedHashSet<>();
        int start = authority + 3;
        int end = firstOf(url, start, "/?#");
        int at = url.lastIndexOf('@', end);
        if (at < start) {
            // A slash in a password should be %2F. If it is not, the URL is rejected, and the error must not show the
            // password.
            at = url.lastIndexOf('@');
        }
        int colon = url.indexOf(':', start);
        if (at > start && colon >= start && colon < at) {
            add(secrets, url.substring(colon + 1, at));
        }
        int question = url.indexOf('?', Math.max(start, at));
        if (question >= 0) {
            for (String pair : url.substring(question + 1).split("&", -1)) {
                addParameter(secrets, pair);
            }
        }
        return secrets.isEmpty() ? NONE : new PasswordRedaction(secrets);
    }

    /** Redacts the passwords of both. */
    PasswordRedaction and(PasswordRedaction other) {
        Set<String> all = new LinkedHashSet<>(secrets);
        all.addAll(other.secrets);
        return all.isEmpty() ? NONE : new PasswordRedaction(all);
    }

    private static void addParameter(Set<String> secrets, String pair) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? "" : pair.substring(0, equals).toLowerCase(java.util.Locale.ROOT);
        if (name.endsWith("password") || name.endsWith("secret") || name.endsWith("token")) {
            add(secrets, pair.substring(equals + 1));
        }
    }

    private static void add(Set<String> secrets, String secret) {
        if (secret.isEmpty()) {
            return;
        }
        secrets.add(secret);
        try {
            secrets.add(URLDecoder.decode(secret.replace("+", "%2B"), UTF_8));
        } catch (IllegalArgumentException e) {
            // The secret is not URL-encoded.
        }
    }

    private static int firstOf(String text, int from, String chars) {
        for (int i = from; i < text.length(); i++) {
            if (chars.indexOf(text.charAt(i)) >= 0) {
                return i;
            }
        }
        return text.length();
    }

    String apply(String text) {
        String shown = text;
        for (String secret : secrets) {
            shown = shown.replace(secret, HIDDEN);
        }
        return shown;
    }
}
