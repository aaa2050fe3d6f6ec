package dev.holdfast.server.security;

import dev.holdfast.internal.ArgumentCheck;
import dev.holdfast.server.watch.NamespaceRange;
import dev.holdfast.store.SizeLimits;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Which namespaces: one, or all that begin so.
 *
 * @param text the namespace, or what it begins with
 * @param open whether it is only the beginning
 */
record NamespacePattern(String text, boolean open) {
    private static final String EMPTY = "\"\"";

    /** Reads {@code jobs}, {@code jobs/*}, {@code *} or {@code ""}; what is special in the file is percent-encoded. */
    static NamespacePattern parse(String written) {
        if (written.equals(EMPTY)) {
            return new NamespacePattern("", false);
        }
        boolean open = written.endsWith("*");
        String text = open ? written.substring(0, written.length() - 1) : written;
        if ((text.isEmpty() && !open) || text.contains("*") || text.contains("\"")) {
            throw ArgumentCheck.bad("namespace", written, "a namespace, the beginning of some and *, or " + EMPTY);
        }
        return new NamespacePattern(ArgumentCheck.text("namespace", decoded(text), SizeLimits.NAMESPACE_BYTES), open);
    }

    static String decoded(String text) {
        try {
            // A plus is a plus here, not a space.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw ArgumentCheck.bad("text", text, "a % followed by two hexadecimal digits");
        }
    }

    boolean matches(String namespace) {
        return open ? namespace.startsWith(text) : namespace.equals(text);
    }

    /** Whether it matches every namespace that begins with {@code prefix}. */
    boolean matchesAll(String prefix) {
        return open && prefix.startsWith(text);
    }

    /** Whether it matches some namespace that begins with {@code prefix}. */
    boolean matchesSome(String prefix) {
        return text.startsWith(prefix) || matchesAll(prefix);
    }

    /** Those that it matches of the namespaces that begin with {@code prefix}, if there are any. */
    NamespaceRange within(String prefix) {
        return matchesAll(prefix) ? NamespaceRange.startingWith(prefix) : new NamespaceRange(text, open);
    }
}
