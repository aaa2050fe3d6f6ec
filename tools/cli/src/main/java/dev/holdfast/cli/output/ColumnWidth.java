package dev.holdfast.cli.output;

/** Display width of text in terminal columns: two for wide East Asian letters and most emoji, none for accents. */
public final class ColumnWidth {
    private ColumnWidth() {}

    static int of(String text) {
        int columns = 0;
        int codePoint;
        for (int i = 0; i < text.length(); i += Character.charCount(codePoint)) {
            codePoint = text.codePointAt(i);
            columns += of(codePoint);
        }
        return columns;
    }

    /** Cuts the text to at most {@code most} columns and marks the cut with an ellipsis. */
    static String fit(String text, int most) {
        if (of(text) <= most) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        int left = most - 1;
        int codePoint;
        for (int i = 0; i < text.length(); i += Character.charCount(codePoint)) {
            codePoint = text.codePointAt(i);
            left -= of(codePoint);
            if (left < 0) {
                break;
            }
            out.appendCodePoint(codePoint);
        }
        return out.append('…').toString();
    }

    public static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - of(text)));
    }

    private static int of(int codePoint) {
        if (codePoint < 0x300) {
            return 1;
        }
        int type = Character.getType(codePoint);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        boolean wide = (codePoint >= 0x1100 && codePoint <= 0x115f)
                || (codePoint >= 0x2e80 && codePoint <= 0xa4cf)
                || (codePoint >= 0xac00 && codePoint <= 0xd7a3)
                || (codePoint >= 0xf900 && codePoint <= 0xfaff)
                || (codePoint >= 0xfe30 && codePoint <= 0xfe6f)
                || (codePoint >= 0xff00 && codePoint <= 0xff60)
                || (codePoint >= 0xffe0 && codePoint <= 0xffe6)
                || (codePoint >= 0x1f300 && codePoint <= 0x1faff)
                || (codePoint >= 0x20000 && codePoint <= 0x3fffd);
        return wide ? 2 : 1;
    }
}
