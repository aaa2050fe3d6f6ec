package dev.holdfast.support;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;

/**
 * Durations as text: parsed from URLs, requests and the command line, and printed for programs and for people.
 *
 * <p>Programs and URLs use the compact form, with short units and without spaces. There a number needs a unit, because a
 * reader may take a bare number for seconds or for milliseconds. On the command line, people may also write {@code 3
 * minutes} or plain seconds, as flock and awsflock accept them.
 */
public final class DurationText {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    /** As many parts as there are units. */
    private static final int MAX_PARTS = 6;
    /** Enough for 15 digits and nanoseconds, and a bound for the work. */
    private static final int MAX_NUMBER_CHARS = 25;

    private static final long[] SPAN_MILLIS = {86_400_000L, 3_600_000L, 60_000L, 1_000L};
    private static final String[] SPAN_UNITS = {"d", "h", "m", "s"};

    private final String text;
    private final boolean typed;
    private int at;

    private DurationText(String text, boolean typed) {
        this.text = text;
        this.typed = typed;
    }

    /**
     * Parses the compact form, such as {@code 30s}, {@code 1.5s}, {@code 500ms} or {@code 1h30m}, and ISO-8601, such as
     * {@code PT30S}.
     *
     * @throws DateTimeException if the text is invalid, or longer than a {@link Duration} can be
     */
    public static Duration parse(String text) {
        return text.startsWith("P") ? Duration.parse(text) : new DurationText(text, false).read();
    }

    /**
     * Parses a duration that a person typed: in any case, with spaces, names of units or plain seconds. Examples are
     * {@code 15m}, {@code 3 minutes}, {@code 100hrs}, {@code 1 day}, {@code 1h30m}, {@code PT15M} and {@code 90}. It is
     * never negative.
     *
     * @throws DateTimeException if the text is invalid, or longer than 292 years
     */
    public static Duration parseTyped(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        Duration parsed = lower.startsWith("p") ? Duration.parse(lower) : new DurationText(lower, true).read();
        if (parsed.isNegative()) {
            throw new DateTimeException("negative");
        }
        return parsed;
    }

    private Duration read() {
        BigDecimal nanos = BigDecimal.ZERO;
        long above = Long.MAX_VALUE;
        int parts = 0;
        do {
            BigDecimal number = number();
            skipSpaces();
            long unit = nanosPerUnit(letters(), parts == 0);
            // "30m1h" is probably a typing error.
            if (++parts > MAX_PARTS || (typed && unit >= above)) {
                throw new DateTimeException("order");
            }
            above = unit;
            nanos = nanos.add(number.multiply(BigDecimal.valueOf(unit)));
            skipSpaces();
        } while (at < text.length());
        try {
            if (typed) {
                return Duration.ofNanos(nanos.longValueExact());
            }
            BigDecimal[] seconds = nanos.divideAndRemainder(BigDecimal.valueOf(NANOS_PER_SECOND));
            return Duration.ofSeconds(seconds[0].longValueExact(), seconds[1].longValueExact());
        } catch (ArithmeticException e) {
            throw new DateTimeException("range", e);
        }
    }

    private BigDecimal number() {
        int start = at;
        while (at < text.length() && (isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
            at++;
        }
        if (at == start
                || at - start > MAX_NUMBER_CHARS
                || !isDigit(text.charAt(start))
                || text.charAt(at - 1) == '.') {
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
        while (typed && at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** @param first whether this is the first part of the text: a number without a unit must be the only one */
    private long nanosPerUnit(String unit, boolean first) {
        if (!typed && unit.length() > 1 && !unit.equals("ms")) {
            throw new DateTimeException("unit");
        }
        return switch (unit) {
            case "ms", "milli", "millis", "millisecond", "milliseconds" -> 1_000_000L;
            case "s", "sec", "secs", "second", "seconds" -> NANOS_PER_SECOND;
            case "m", "min", "mins", "minute", "minutes" -> 60 * NANOS_PER_SECOND;
            case "h", "hr", "hrs", "hour", "hours" -> 3_600 * NANOS_PER_SECOND;
            case "d", "day", "days" -> 86_400 * NANOS_PER_SECOND;
            case "w", "week", "weeks" -> 604_800 * NANOS_PER_SECOND;
            case "" -> {
                if (!typed || !first || at < text.length()) {
                    throw new DateTimeException("no unit");
                }
                yield NANOS_PER_SECOND;
            }
            default -> throw new DateTimeException("unit");
        };
    }

    /** Prints the exact duration in seconds, such as {@code 30s} or {@code 12.345s}: the form in JSON. */
    public static String seconds(Duration duration) {
        BigDecimal seconds = BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano(), 9));
        return (seconds.signum() == 0 ? "0" : seconds.stripTrailingZeros().toPlainString()) + "s";
    }

    /** Prints the two largest units of the duration, such as {@code 1h 57m}: the form for people. */
    public static String rounded(Duration duration) {
        long millis = Math.max(0, duration.toMillis());
        if (millis < 1_000) {
            return millis + "ms";
        }
        int i = 0;
        while (millis < SPAN_MILLIS[i]) {
            i++;
        }
        long next = i + 1 < SPAN_MILLIS.length ? millis % SPAN_MILLIS[i] / SPAN_MILLIS[i + 1] : 0;
        return millis / SPAN_MILLIS[i] + SPAN_UNITS[i] + (next > 0 ? " " + next + SPAN_UNITS[i + 1] : "");
    }
}
