package dev.holdfast.server.security;

import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * One namespace, or all namespaces with a common prefix.
 *
 * @param text the namespace, or the prefix
 * @param open whether {@code text} is a prefix
 */
public record NamespaceRange(String text, boolean open) {
    private static final String EMPTY = "\"\"";

    /** All namespaces that begin with {@code prefix}. */
    public static NamespaceRange startingWith(String prefix) {
        return new NamespaceRange(prefix, true);
    }

    /**
     * Parses {@code jobs}, {@code jobs/*}, {@code *} or {@code ""}. Characters that are special in the token file are
     * percent-encoded.
     */
    static NamespaceRange parse(String written) {
        if (written.equals(EMPTY)) {
            return new NamespaceRange("", false);
        }
        boolean open = written.endsWith("*");
        String text = open ? written.substring(0, written.length() - 1) : written;
        if ((text.isEmpty() && !open) || text.contains("*") || text.contains("\"")) {
            throw ArgumentCheck.bad("namespace", written, "a namespace, the beginning of some and *, or " + EMPTY);
        }
        return new NamespaceRange(ArgumentCheck.text("namespace", decoded(text), SizeLimits.NAMESPACE_BYTES), open);
    }

    static String decoded(String text) {
        try {
            // Here a plus stands for itself, not for a space.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw ArgumentCheck.bad("text", text, "a % followed by two hexadecimal digits");
        }
    }

    public boolean includes(String namespace) {
        return open ? namespace.startsWith(text) : namespace.equals(text);
    }

    /** Whether it includes every namespace that begins with {@code prefix}. */
    boolean includesAll(String prefix) {
        return open && prefix.startsWith(text);
    }

    /** Whether it includes some namespace that begins with {@code prefix}. */
    boolean includesSome(String prefix) {
        return text.startsWith(prefix) || includesAll(prefix);
    }

    /** The part of the range that begins with {@code prefix}. Call only if {@link #includesSome}. */
    NamespaceRange within(String prefix) {
        return includesAll(prefix) ? startingWith(prefix) : this;
    }
}
