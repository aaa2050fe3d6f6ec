package dev.holdfast.server.security;

import dev.holdfast.server.watch.NamespaceRange;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * A pattern of namespaces: one namespace, or all with a common prefix.
 *
 * @param text the namespace or the prefix
 * @param open whether {@code text} is a prefix
 */
record NamespacePattern(String text, boolean open) {
    private static final String EMPTY = "\"\"";

    /**
     * Parses {@code jobs}, {@code jobs/*}, {@code *} or {@code ""}. Characters that are special in the token file are
     * percent-encoded.
     */
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
            // Here a plus stands for itself, not for a space.
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

    /** The range of matching namespaces that begin with {@code prefix}. Call only if {@link #matchesSome}. */
    NamespaceRange within(String prefix) {
        return matchesAll(prefix) ? NamespaceRange.startingWith(prefix) : new NamespaceRange(text, open);
    }
}
