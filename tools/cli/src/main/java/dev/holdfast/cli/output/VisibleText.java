package dev.holdfast.cli.output;

import dev.holdfast.support.ArgumentCheck;
import java.util.HexFormat;

/** Text that is safe to print on a terminal: invisible characters are escaped. */
public final class VisibleText {
    private static final int SHORT = 64;

    private VisibleText() {}

    /** Escapes the text, including line breaks, so that it fits on one line. */
    public static String line(String text) {
        int bad = firstInvisible(text);
        if (bad < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 8).append(text, 0, bad);
        int codePoint;
        for (int i = bad; i < text.length(); i += Character.charCount(codePoint)) {
            codePoint = text.codePointAt(i);
            append(out, codePoint);
        }
        return out.toString();
    }

    /** Escapes the text as {@link #line} does, and cuts it if it is long. */
    public static String shortened(String text) {
        if (text.codePointCount(0, text.length()) <= SHORT) {
            return line(text);
        }
        return line(text.substring(0, text.offsetByCodePoints(0, SHORT))) + "...";
    }

    private static int firstInvisible(String text) {
        int codePoint;
        for (int i = 0; i < text.length(); i += Character.charCount(codePoint)) {
            codePoint = text.codePointAt(i);
            if (!ArgumentCheck.isVisible(codePoint)) {
                return i;
            }
        }
        return -1;
    }

    private static void append(StringBuilder out, int codePoint) {
        if (ArgumentCheck.isVisible(codePoint)) {
            out.appendCodePoint(codePoint);
        } else if (codePoint == '\n') {
            out.append("\\n");
        } else if (codePoint == '\t') {
            out.append("\\t");
        } else {
            for (char c : Character.toChars(codePoint)) {
                out.append("\\u").append(HexFormat.of().toHexDigits(c));
            }
        }
    }
}
