package dev.holdfast.dynamodb.layouts;

import dev.holdfast.support.ArgumentCheck;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Cursors of scans: the key of the last item of a page. Its parts are texts. */
final class ItemCursors {
    private static final String MARK = "f1";

    private final List<String> keyNames;

    ItemCursors(List<String> keyNames) {
        this.keyNames = keyNames;
    }

    String format(Map<String, AttributeValue> key) {
        StringBuilder text = new StringBuilder(MARK);
        for (String name : keyNames) {
            byte[] bytes = Objects.requireNonNull(key.get(name)).s().getBytes(StandardCharsets.UTF_8);
            text.append('.').append(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
        }
        return text.toString();
    }

    /** @throws IllegalArgumentException if it is not a cursor */
    Map<String, AttributeValue> parse(String cursor) {
        String[] parts = cursor.split("\\.", -1);
        if (parts.length != keyNames.size() + 1 || !parts[0].equals(MARK)) {
            throw ArgumentCheck.bad("cursor", cursor, "the cursor of the previous page");
        }
        Map<String, AttributeValue> key = new HashMap<>();
        for (int i = 0; i < keyNames.size(); i++) {
            byte[] bytes = Base64.getUrlDecoder().decode(parts[i + 1]);
            key.put(keyNames.get(i), AttributeValue.fromS(new String(bytes, StandardCharsets.UTF_8)));
        }
        return key;
    }
}
