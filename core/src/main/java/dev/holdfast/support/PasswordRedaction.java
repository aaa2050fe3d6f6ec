package dev.holdfast.support;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Redaction that replaces the passwords of a URL in any text. */
public final class PasswordRedaction {
    public static final PasswordRedaction NONE = new PasswordRedaction(Set.of());

    private static final String HIDDEN = "***";
    private static final Pattern END_OF_AUTHORITY = Pattern.compile("[/?#]");
    private static final Pattern SECRET_NAME = Pattern.compile(".*(?:password|secret|token)", Pattern.CASE_INSENSITIVE);

    private final Set<String> secrets;

    private PasswordRedaction(Set<String> secrets) {
        this.secrets = secrets;
    }

    /**
     * Finds {@code scheme://user:password@host}, and parameters with a name that ends in "password", "secret" or
     * "token".
     */
    public static PasswordRedaction of(String url) {
        int authority = url.indexOf("://");
        if (authority < 0) {
            return NONE;
        }
        Set<String> secrets = new LinkedHashSet<>();
        int start = authority + 3;
        Matcher end = END_OF_AUTHORITY.matcher(url);
        int at = url.lastIndexOf('@', end.find(start) ? end.start() : url.length());
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
    public PasswordRedaction and(PasswordRedaction other) {
        Set<String> all = new LinkedHashSet<>(secrets);
        all.addAll(other.secrets);
        return all.isEmpty() ? NONE : new PasswordRedaction(all);
    }

    private static void addParameter(Set<String> secrets, String pair) {
        int equals = pair.indexOf('=');
        if (equals >= 0 && isSecret(pair.substring(0, equals))) {
            add(secrets, pair.substring(equals + 1));
        }
    }

    /** Whether the parameter {@code name} has a secret value. */
    static boolean isSecret(String name) {
        return SECRET_NAME.matcher(name).matches();
    }

    private static void add(Set<String> secrets, String secret) {
        if (secret.isEmpty()) {
            return;
        }
        secrets.add(secret);
        try {
            secrets.add(StoreUrl.decode("secret", secret));
        } catch (IllegalArgumentException e) {
            // The secret is not URL-encoded.
        }
    }

    public String apply(String text) {
        String shown = text;
        for (String secret : secrets) {
            shown = shown.replace(secret, HIDDEN);
        }
        return shown;
    }
}
