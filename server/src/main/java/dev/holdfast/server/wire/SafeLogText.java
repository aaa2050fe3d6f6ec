package dev.holdfast.server.wire;

/** Text from outside, made safe for one line of a log: nothing in it can look like another line or field. */
public final class SafeLogText {
    private static final int MOST_CHARS = 1_000;

    private SafeLogText() {}

    /** The text with control characters, quotes and backslashes escaped, and cut if it is long. */
    public static String of(String text) {
        int end = Math.min(text.length(), MOST_CHARS);
        StringBuilder safe = new StringBuilder(end + 16);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                safe.append('\\').append(c);
            } else if (isUnsafe(c)) {
                safe.append(String.format("\\u%04x", (int) c));
            } else {
                safe.append(c);
            }
        }
        return text.length() > end
                ? safe.append("... (").append(text.length()).append(" chars)").toString()
                : safe.toString();
    }

    /** Includes characters that a terminal shows as a line break, or uses to change the direction of text. */
    private static boolean isUnsafe(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> true;
            default -> false;
        };
    }
}
