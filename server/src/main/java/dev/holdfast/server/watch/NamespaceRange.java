package dev.holdfast.server.watch;

/**
 * One namespace, or all namespaces with a common prefix.
 *
 * @param text the namespace, or the prefix
 * @param open whether {@code text} is a prefix
 */
public record NamespaceRange(String text, boolean open) {
    /** All namespaces that begin with {@code prefix}. */
    public static NamespaceRange startingWith(String prefix) {
        return new NamespaceRange(prefix, true);
    }

    boolean includes(String namespace) {
        return open ? namespace.startsWith(text) : namespace.equals(text);
    }
}
