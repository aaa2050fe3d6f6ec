package dev.holdfast.server.http;

import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.SecondsText;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in human notation: {@code 30s}, {@code 1.5s}, {@code 500ms}, {@code 1h30m}, {@code PT30S}. */
final class HttpDuration {
    private static final String FORMS = "a duration such as 30s, 500ms, 1h30m or PT30S";
    private static final Pattern PART = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?)(ms|s|m|h|d)");
    private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + "){1,5}");
    private static final Map<String, Long> NANOS = Map.of(
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L,
            "d", 86_400_000_000_000L);

    private HttpDuration() {}

    /** @throws IllegalArgumentException naming {@code field} */
    static Duration parse(String field, String text) {
        try {
            return text.startsWith("P") ? Duration.parse(text) : parts(field, text);
        } catch (DateTimeException | ArithmeticException e) {
            throw ArgumentCheck.bad(field, text, FORMS);
        }
    }

    private static Duration parts(String field, String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw ArgumentCheck.bad(field, text, FORMS);
        }
        BigDecimal nanos = BigDecimal.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            BigDecimal unit = BigDecimal.valueOf(NANOS.getOrDefault(part.group(2), 0L));
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(unit));
        }
        return Duration.ofNanos(nanos.longValueExact());
    }

    /** The duration in seconds, exact: {@code 30s}, {@code 12.345s}. */
    static String format(Duration duration) {
        return SecondsText.of(duration);
    }
}
