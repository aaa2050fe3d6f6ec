package dev.holdfast.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.Key;
import java.util.Base64;
import java.util.List;

/**
 * Position after which the next page of a scan begins, as text that callers keep. It consists of parts that only the
 * store understands. Their separator, NUL, cannot be part of a key.
 */
public final class ScanCursor {
    private static final String SEPARATOR = "\0";

    private final String text;
    private final List<String> parts;

    private ScanCursor(String text, List<String> parts) {
        this.text = text;
        this.parts = parts;
    }

    public static String format(String... parts) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(String.join(SEPARATOR, parts).getBytes(UTF_8));
    }

    /** Returns the cursor of a scan in the order of keys. */
    public static String after(Key last) {
        return format(last.namespace(), last.name());
    }

    /**
     * Parses the output of {@link #format}.
     *
     * @throws IllegalArgumentException if it has another number of parts
     */
    public static ScanCursor parse(String text, int count) {
        try {
            String decoded = new String(Base64.getUrlDecoder().decode(text), UTF_8);
            List<String> parts = List.of(decoded.split(SEPARATOR, -1));
            if (parts.size() == count) {
                return new ScanCursor(text, parts);
            }
        } catch (IllegalArgumentException e) {
            throw bad(text);
        }
        throw bad(text);
    }

    /** Parses the output of {@link #after}. */
    public static Key parseKey(String text) {
        ScanCursor cursor = parse(text, 2);
        try {
            return Key.of(cursor.part(0), cursor.part(1));
        } catch (IllegalArgumentException e) {
            throw cursor.bad();
        }
    }

    public String part(int index) {
        return parts.get(index);
    }

    public long number(int index) {
        try {
            return Long.parseLong(parts.get(index));
        } catch (NumberFormatException e) {
            throw bad();
        }
    }

    /** Returns, for the caller to throw, the error for a cursor that no page ended with. */
    public IllegalArgumentException bad() {
        return bad(text);
    }

    private static IllegalArgumentException bad(String text) {
        return ArgumentCheck.bad("cursor", text, "the cursor of the previous page");
    }
}
