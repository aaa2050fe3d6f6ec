package dev.holdfast.dynamodb;

import dev.holdfast.support.DurationText;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parameters after the question mark of a URL, each name at most once. */
public record UrlParameters(Map<String, String> given) {

    public UrlParameters {
        given = Map.copyOf(given);
    }

    static UrlParameters parse(@Nullable String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : query == null || query.isEmpty() ? List.<String>of() : List.of(query.split("&", -1))) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw bad("parameter", pair, "NAME=VALUE");
            }
            String name = decode("parameter", pair.substring(0, equals));
            if (parameters.put(name, decode(name, pair.substring(equals + 1))) != null) {
                throw bad("parameter", name, "given once");
            }
        }
        return new UrlParameters(parameters);
    }

    /** Returns these parameters, with {@code value} if {@code name} is missing. */
    UrlParameters orElse(String name, String value) {
        Map<String, String> more = new HashMap<>(given);
        more.putIfAbsent(name, value);
        return new UrlParameters(more);
    }

    public Optional<String> text(String name) {
        return Optional.ofNullable(given.get(name));
    }

    /** Returns a parameter with the values of {@code type} in lower case. */
    public <E extends Enum<E>> E word(String name, Class<E> type, E fallback) {
        String value = given.get(name);
        if (value == null) {
            return fallback;
        }
        for (E one : type.getEnumConstants()) {
            if (word(one).equals(value)) {
                return one;
            }
        }
        List<String> words = List.of(type.getEnumConstants()).stream()
                .map(UrlParameters::word)
                .toList();
        throw bad(name, value, "one of " + String.join(", ", words));
    }

    public static String word(Enum<?> one) {
        return one.name().toLowerCase(Locale.ROOT);
    }

    public int number(String name, int fallback, int least, int most) {
        String value = given.getOrDefault(name, String.valueOf(fallback));
        boolean isNumber = value.matches("\\d{1,9}");
        if (!isNumber || Integer.parseInt(value) < least || Integer.parseInt(value) > most) {
            throw bad(name, value, least + " to " + most);
        }
        return Integer.parseInt(value);
    }

    public boolean flag(String name, boolean fallback) {
        String value = given.getOrDefault(name, String.valueOf(fallback));
        if (!Set.of("true", "false").contains(value)) {
            throw bad(name, value, "true or false");
        }
        return value.equals("true");
    }

    /** Returns a duration such as {@code 500ms}, {@code 5s}, {@code 2m}. */
    public Duration duration(String name, Duration fallback, Duration least) {
        String value = given.get(name);
        if (value == null) {
            return fallback;
        }
        try {
            Duration duration = DurationText.parse(value);
            if (duration.compareTo(least) >= 0) {
                return duration;
            }
        } catch (DateTimeException e) {
            // Rejected below.
        }
        throw bad(name, value, "a duration such as 500ms, 5s or 2m, at least " + least.toMillis() + "ms");
    }

    /** Percent-decodes as in a URL, not as in a form: a plus stays a plus. */
    private static String decode(String field, String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw bad(field, text, "percent-encoding such as %3A for a colon");
        }
    }

    public static IllegalArgumentException bad(String field, String value, String expected) {
        return new IllegalArgumentException(
                field + ": " + (value.isEmpty() ? "\"\"" : value) + " (expected: " + expected + ")");
    }
}
