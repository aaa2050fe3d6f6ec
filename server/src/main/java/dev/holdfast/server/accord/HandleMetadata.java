package dev.holdfast.server.accord;

import dev.holdfast.AttributePatch;
import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import java.util.HashMap;
import java.util.Map;

/** The translation between accord's metadata, a map of texts, and attributes. */
final class HandleMetadata {
    private HandleMetadata() {}

    /** A patch that merges {@code metadata} into the existing attributes. */
    static AttributePatch patch(Map<String, String> metadata) {
        if (metadata.isEmpty()) {
            return AttributePatch.NONE;
        }
        Map<String, AttributeValue> values = new HashMap<>();
        metadata.forEach((name, value) -> values.put(name, AttributeValue.of(value)));
        return AttributePatch.NONE.putAll(Attributes.of(values));
    }

    /** Attributes as metadata; values of other types are shown as text. */
    static Map<String, String> of(Attributes attributes) {
        Map<String, String> metadata = new HashMap<>();
        attributes.asMap().forEach((name, value) -> metadata.put(name, text(value)));
        return metadata;
    }

    private static String text(AttributeValue value) {
        if (value instanceof AttributeValue.Text text) {
            return text.value();
        }
        return value instanceof AttributeValue.Bool bool ? String.valueOf(bool.value()) : value.toString();
    }
}
