package dev.holdfast.support;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The checks of arguments, with messages of one form: {@code term: PT-1S (expected: > PT0S and <= P7D)}. */
public final class ArgumentCheck {
    // Enough to recognize a value; a message is read in a log line.
    private static final int SHOWN_CHARS = 64;

    private static final int UUID_CHARS = 36;

    private static final Duration CENTURY = Duration.ofDays(36_500);

    private ArgumentCheck() {}

    /**
     * Returns {@code value} if every store can hold it: well-formed Unicode, no NUL (PostgreSQL's text has none), at
     * most {@code maxBytes} of UTF-8. It may be empty.
     *
     * @throws NullPointerException if {@code value} is null; its message is the field
     * @throws IllegalArgumentException if {@code value} is refused
     */
    public static String text(String field, String value, int maxBytes) {
        requireNonNull(value, field);
        // A char takes at least one byte, so this avoids the scan of a text that is far too long.
        if (value.length() > maxBytes) {
            throw tooLong(field, value, maxBytes);
        }
        requireStorable(field, value);
        if (utf8Length(value) > maxBytes) {
            throw tooLong(field, value, maxBytes);
        }
        return value;
    }

    /** Like {@link #text}, but refuses the empty text too. */
    public static String nonEmptyText(String field, String value, int maxBytes) {
        if (text(field, value, maxBytes).isEmpty()) {
            throw bad(field, value, "not empty");
        }
        return value;
    }

    /** Returns the id that {@code text} is the usual form of. */
    public static UUID id(String field, String text) {
        try {
            // UUID.fromString also accepts shortened forms such as "1-1-1-1-1". Here they are typing errors.
            if (text.length() == UUID_CHARS) {
                return UUID.fromString(text);
            }
        } catch (IllegalArgumentException e) {
            // Reported like a text of another length.
        }
        throw bad(field, text, "a UUID such as 123e4567-e89b-42d3-a456-426614174000");
    }

    /** Returns {@code value} if it is longer than zero and no longer than {@code max}. */
    public static Duration positive(String field, Duration value, Duration max) {
        requireNonNull(value, field);
        if (value.isZero() || value.isNegative() || value.compareTo(max) > 0) {
            throw bad(field, value, "> PT0S and <= " + shown(max));
        }
        return value;
    }

    /** Returns {@code value} if it is not negative and no longer than {@code max}. */
    public static Duration notNegative(String field, Duration value, Duration max) {
        requireNonNull(value, field);
        if (value.isNegative() || value.compareTo(max) > 0) {
            throw bad(field, value, ">= PT0S and <= " + shown(max));
        }
        return value;
    }

    /**
     * Returns {@code value} in nanoseconds, but no more than a century. That is practically for ever, and adding it to
     * a ticker does not overflow. A negative value counts as zero.
     */
    public static long cappedNanos(Duration value) {
        if (value.isNegative()) {
            return 0;
        }
        return value.compareTo(CENTURY) < 0 ? value.toNanos() : CENTURY.toNanos();
    }

    /**
     * Returns, for the caller to throw, the exception that names the field, its value and the expected values. The
     * value is shown by its {@code toString}, shortened and made printable.
     */
    public static IllegalArgumentException bad(String field, @Nullable Object value, String expected) {
        return new IllegalArgumentException(field + ": " + shown(value) + " (expected: " + expected + ")");
    }

    /** Returns how many bytes of UTF-8 a well-formed {@code value} takes, without encoding it. */
    public static int utf8Length(String value) {
        long bytes = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < 0x80) {
                bytes += 1;
            } else if (c < 0x800 || Character.isSurrogate(c)) {
                bytes += 2; // the two halves of a pair take four bytes together
            } else {
                bytes += 3;
            }
        }
        return Math.toIntExact(bytes);
    }

    /**
     * Orders text by code point, which is the order of the UTF-8 bytes and of SQL's {@code COLLATE "C"}. The order of
     * {@link String#compareTo} differs: it puts U+10000 and above before U+E000.
     */
    public static int compareCodePoints(String a, String b) {
        int common = Math.min(a.length(), b.length());
        for (int i = 0; i < common; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                return Integer.compare(rank(x), rank(y));
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    /** Returns {@code value} fit for a log line: at most 64 chars of it, with invisible characters escaped. */
    public static String printable(String value) {
        if (value.length() <= SHOWN_CHARS) {
            return escaped(value);
        }
        boolean splitsPair = Character.isHighSurrogate(value.charAt(SHOWN_CHARS - 1));
        String start = value.substring(0, splitsPair ? SHOWN_CHARS - 1 : SHOWN_CHARS);
        return escaped(start) + "... (" + value.length() + " chars)";
    }

    private static void requireStorable(String field, String value) {
        int codePoint;
        for (int i = 0; i < value.length(); i += Character.charCount(codePoint)) {
            codePoint = value.codePointAt(i);
            if (codePoint == 0) {
                throw bad(field, value, "no NUL character");
            }
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                throw bad(field, value, "no lone surrogate");
            }
        }
    }

    private static IllegalArgumentException tooLong(String field, String value, int maxBytes) {
        return bad(field, value, "<= " + maxBytes + " bytes of UTF-8");
    }

    // Surrogates encode the highest code points, but are below U+E000 as chars.
    private static int rank(char c) {
        return Character.isSurrogate(c) ? c + 0x10000 : c;
    }

    private static String shown(@Nullable Object value) {
        if (value instanceof Duration duration) {
            return shown(duration);
        }
        String text = String.valueOf(value);
        return text.isEmpty() ? "\"\"" : printable(text);
    }

    // Duration prints seven days as PT168H, which is hard to recognize as a week.
    private static String shown(Duration value) {
        long days = value.toDays();
        return days != 0 && value.equals(Duration.ofDays(days)) ? "P" + days + "D" : value.toString();
    }

    private static String escaped(String value) {
        StringBuilder out = new StringBuilder(value.length());
        value.codePoints().forEach(codePoint -> {
            if (isVisible(codePoint)) {
                out.appendCodePoint(codePoint);
            } else {
                for (char c : Character.toChars(codePoint)) {
                    out.append("\\u").append(HexFormat.of().toHexDigits(c));
                }
            }
        });
        return out.toString();
    }

    /** Whether a terminal shows the character as one, so that it can neither hide text nor control the terminal. */
    public static boolean isVisible(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
