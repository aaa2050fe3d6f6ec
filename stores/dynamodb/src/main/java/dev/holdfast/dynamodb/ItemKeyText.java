package dev.holdfast.dynamodb;

import dev.holdfast.Key;
import dev.holdfast.support.ArgumentCheck;

/**
 * Text of a key: the namespace with {@code %} and {@code /} escaped, a slash, and the unchanged name. The first slash
 * ends the namespace, so no two keys have the same text. A prefix of a namespace is a prefix of the text. It takes at
 * most 1,793 of the 2,048 bytes that a partition key may have.
 */
final class ItemKeyText {
    private static final char SEPARATOR = '/';

    private ItemKeyText() {}

    static String of(Key key) {
        return ofNames(key.namespace(), key.name());
    }

    /** Returns the common prefix of the texts of all keys of a namespace with a name that begins with {@code names}. */
    static String ofNames(String namespace, String names) {
        return ofPrefix(namespace) + SEPARATOR + names;
    }

    /** Returns the common prefix of the texts of all keys with a namespace that begins with {@code prefix}. */
    static String ofPrefix(String prefix) {
        return prefix.replace("%", "%25").replace("/", "%2F");
    }

    /** @throws IllegalArgumentException if the text is not a key */
    static Key parse(String text) {
        int separator = text.indexOf(SEPARATOR);
        if (separator < 0) {
            throw ArgumentCheck.bad("key", text, "NAMESPACE/NAME");
        }
        String namespace = text.substring(0, separator).replace("%2F", "/").replace("%25", "%");
        Key key = Key.of(namespace, text.substring(separator + 1));
        if (!of(key).equals(text)) {
            throw ArgumentCheck.bad("key", text, "%25 for % and %2F for /, and nothing else escaped");
        }
        return key;
    }
}
