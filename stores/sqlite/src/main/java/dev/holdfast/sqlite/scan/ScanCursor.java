package dev.holdfast.sqlite.scan;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.support.ArgumentCheck;
import java.util.Base64;
import java.util.List;

/**
 * Position of the last row of a page, as text that callers keep. It has several parts; the first is the kind of order.
 */
final class ScanCursor {
    private static final String SEPARATOR = "\0"; // in no key

    private final String text;
    private final List<String> parts;

    /**
     * Parses the output of {@link #text}.
     *
     * @throws IllegalArgumentException if the cursor is of another kind
     */
    ScanCursor(String text, String kind, int count) {
        this.text = text;
        this.parts = decode(text);
        if (parts.size() != count || !parts.get(0).equals(kind)) {
            throw bad();
        }
    }

    static String text(String... parts) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(String.join(SEPARATOR, parts).getBytes(UTF_8));
    }

    String part(int index) {
        return parts.get(index);
    }

    long number(int index) {
        try {
            return Long.parseLong(parts.get(index));
        } catch (NumberFormatException e) {
            throw bad();
        }
    }

    private List<String> decode(String encoded) {
        try {
            return List.of(new String(Base64.getUrlDecoder().decode(encoded), UTF_8).split(SEPARATOR, -1));
        } catch (IllegalArgumentException e) {
            throw bad();
        }
    }

    private IllegalArgumentException bad() {
        return ArgumentCheck.bad("cursor", text, "the cursor of the previous page");
    }
}
