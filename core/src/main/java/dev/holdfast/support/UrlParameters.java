package dev.holdfast.support;

import dev.holdfast.history.GrantHistory;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parameters after the question mark of a URL, each name at most once, percent-decoded. */
public record UrlParameters(Map<String, String> given) {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE);

    /** The name of the parameter with the length of histories, in the URLs of all stores. */
    public static final String HISTORY = "history";

    public UrlParameters {
        given = Map.copyOf(given);
    }

    /** Parses {@code NAME=VALUE&NAME=VALUE}. A missing or empty query has no parameters. */
    public static UrlParameters parse(@Nullable String query) {
        return parse(query, name -> true, "NAME=VALUE");
    }

    /** Like {@link #parse(String)}, but rejects other names. */
    public static UrlParameters parse(@Nullable String query, Set<String> known) {
        Set<String> sorted = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        sorted.addAll(known);
        return parse(query, known::contains, "NAME=VALUE with one of the names " + String.join(", ", sorted));
    }

    private static UrlParameters parse(@Nullable String query, Predicate<String> isKnown, String expected) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : query == null || query.isEmpty() ? List.<String>of() : List.of(query.split("&", -1))) {
            int equals = pair.indexOf('=');
            String name = StoreUrl.decode("parameter", equals < 0 ? pair : pair.substring(0, equals));
            if (equals < 0 || !isKnown.test(name)) {
                throw ArgumentCheck.bad("parameter", name, expected);
            }
            if (parameters.put(name, StoreUrl.decodeValue(name, pair.substring(equals + 1))) != null) {
                throw ArgumentCheck.bad("parameter", name, "given once");
            }
        }
        return new UrlParameters(parameters);
    }

    /** Returns these parameters, with {@code value} if {@code name} is missing. */
    public UrlParameters orElse(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(given);
        more.putIfAbsent(name, value);
        return new UrlParameters(more);
    }

    public Optional<String> text(String name) {
        return Optional.ofNullable(given.get(name));
    }

    /** Returns a parameter that must match {@code pattern}. */
    public String text(String name, String fallback, Pattern pattern, String expected) {
        String value = given.getOrDefault(name, fallback);
        if (!pattern.matcher(value).matches()) {
            throw ArgumentCheck.bad(name, value, expected);
        }
        return value;
    }

    /** Returns a parameter with the values of {@code type} in lower case. */
    public <E extends Enum<E>> E word(String name, Class<E> type, E fallback) {
        String value = given.getOrDefault(name, word(fallback));
        return Arrays.stream(type.getEnumConstants())
                .filter(one -> word(one).equals(value))
                .findFirst()
                .orElseThrow(() -> ArgumentCheck.bad(
                        name,
                        value,
                        Arrays.stream(type.getEnumConstants())
                                .map(UrlParameters::word)
                                .collect(Collectors.joining(", ", "one of ", ""))));
    }

    public static String word(Enum<?> one) {
        return one.name().toLowerCase(Locale.ROOT);
    }

    public int number(String name, int fallback, int least, int most) {
        String value = given.getOrDefault(name, String.valueOf(fallback));
        boolean isNumber = value.matches("\\d{1,9}");
        if (!isNumber || Integer.parseInt(value) < least || Integer.parseInt(value) > most) {
            throw ArgumentCheck.bad(name, value, least + " to " + most);
        }
        return Integer.parseInt(value);
    }

    /** The length of histories. */
    public int history() {
        return number(HISTORY, GrantHistory.USUAL_LINES, 0, GrantHistory.MOST_LINES);
    }

    public boolean flag(String name, boolean fallback) {
        String value = given.getOrDefault(name, String.valueOf(fallback));
        if (!Set.of("true", "false").contains(value)) {
            throw ArgumentCheck.bad(name, value, "true or false");
        }
        return value.equals("true");
    }

    /** Returns a duration such as {@code 500ms}, {@code 5s}, {@code 2m}. */
    public Duration duration(String name, Duration fallback, Duration least) {
        String expected = "a duration such as 500ms, 5s or 2m, at least " + least.toMillis() + "ms";
        return duration(name, fallback, least, LONGEST, expected);
    }

    /** @param expected describes the range in the message about a duration outside of it */
    public Duration duration(String name, Duration fallback, Duration least, Duration most, String expected) {
        String value = given.get(name);
        if (value == null) {
            return fallback;
        }
        // One number and one unit: less than DurationText accepts elsewhere.
        Duration duration = DURATION.matcher(value).matches() ? DurationText.parse(value) : null;
        if (duration == null || duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
            throw ArgumentCheck.bad(name, value, expected);
        }
        return duration;
    }
}
