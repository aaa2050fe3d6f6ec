package dev.holdfast.judges;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** An entry in the answer to a list: {@code KEY:STATE:FENCE:VALUE}, with commas between entries. */
public record ListedEntry(String key, String state, long fence, String value) {
    private static final String SEPARATORS = ":,";
    private static final int PARTS = 4;

    public ListedEntry {
        if (!CallOp.STATES.contains(state)) {
            throw new IllegalArgumentException("state: '" + state + "' (expected: one of " + CallOp.STATES + ")");
        }
    }

    /** The value of the field {@code items}. */
    public static String join(List<ListedEntry> entries) {
        return entries.stream().map(ListedEntry::text).collect(Collectors.joining(","));
    }

    /** The entries of the field {@code items}. */
    public static List<ListedEntry> parse(String items) {
        return items.isEmpty()
                ? List.of()
                : Arrays.stream(items.split(",", -1)).map(ListedEntry::parseOne).toList();
    }

    private static ListedEntry parseOne(String item) {
        String[] parts = item.split(":", -1);
        if (parts.length != PARTS) {
            throw new IllegalArgumentException("item: '" + item + "' (expected: KEY:STATE:FENCE:VALUE)");
        }
        return new ListedEntry(
                FieldText.decode(parts[0]), parts[1], FieldText.number("fence", parts[2]), FieldText.decode(parts[3]));
    }

    private String text() {
        return FieldText.encode(key, SEPARATORS) + ":" + state + ":" + fence + ":"
                + FieldText.encode(value, SEPARATORS);
    }
}
