package dev.holdfast.cli.option;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.TypeConversionException;

/**
 * Parser of durations such as {@code 15m}, {@code 3 minutes}, {@code 100hrs}, {@code 1 day}, {@code 1h30m}, ISO-8601
 * such as {@code PT15M}, and plain seconds.
 */
public final class DurationParser {
    static final String FORMS = "a duration such as 15m, 3 minutes, 100hrs, 1 day, 1h30m, PT15M, or seconds";

    private static final BigDecimal MAX_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);

    private final String text;
    private int at;

    private DurationParser(String text) {
        this.text = text;
    }

    /**
     * Parses a duration of zero or more.
     *
     * @throws TypeConversionException if the text is invalid; the message lists the expected forms
     */
    public static Duration parse(String text) {
        try {
            return new DurationParser(text.strip().toLowerCase(Locale.ROOT)).read();
        } catch (DateTimeException | ArithmeticException e) {
            throw ExpectedValue.of(text, FORMS);
        }
    }

    private Duration read() {
        if (text.startsWith("p")) {
            Duration iso = Duration.parse(text);
            if (iso.isNegative()) {
                throw new DateTimeException("negative");
            }
            return iso;
        }
        BigDecimal nanos = BigDecimal.ZERO;
        long above = Long.MAX_VALUE;
        boolean bare = false;
        do {
            BigDecimal number = number();
            skipSpaces();
            String unit = letters();
            bare = unit.isEmpty();
            long each = bare ? 1_000_000_000L : nanosOf(unit);
            // Units must be in descending order, each at most once: "30m1h" is probably a typing error.
            if (each >= above || (bare && above != Long.MAX_VALUE)) {
                throw new DateTimeException("order");
            }
            above = each;
            nanos = nanos.add(number.multiply(BigDecimal.valueOf(each)));
            skipSpaces();
        } while (at < text.length() && !bare);
        if (at < text.length() || nanos.compareTo(MAX_NANOS) > 0) {
            throw new DateTimeException("rest or range");
        }
        return Duration.ofNanos(nanos.longValueExact());
    }

    private BigDecimal number() {
        int start = at;
        while (at < text.length() && (isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
            at++;
        }
        // 18 digits allow three decades in nanoseconds, and bound the work.
        if (at == start || at - start > 18 || !isDigit(text.charAt(start)) || text.charAt(at - 1) == '.') {
            throw new DateTimeException("number");
        }
        try {
            return new BigDecimal(text.substring(start, at));
        } catch (NumberFormatException e) {
            throw new DateTimeException("number", e);
        }
    }

    private String letters() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= 'a' && text.charAt(at) <= 'z') {
            at++;
        }
        return text.substring(start, at);
    }

    private void skipSpaces() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static long nanosOf(String unit) {
        return switch (unit) {
            case "ms", "milli", "millis", "millisecond", "milliseconds" -> 1_000_000L;
            case "s", "sec", "secs", "second", "seconds" -> 1_000_000_000L;
            case "m", "min", "mins", "minute", "minutes" -> 60_000_000_000L;
            case "h", "hr", "hrs", "hour", "hours" -> 3_600_000_000_000L;
            case "d", "day", "days" -> 86_400_000_000_000L;
            case "w", "week", "weeks" -> 604_800_000_000_000L;
            default -> throw new DateTimeException("unit");
        };
    }
}
