package dev.holdfast.postgres;

import dev.holdfast.support.DurationText;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parsed store URL: the location of the database and the settings for its use. The password appears in no message and
 * no {@code toString}.
 *
 * @param hosts {@code host:port}, several separated by commas; the primary among them is used
 * @param timeout the longest that one call waits for the database
 * @param pooled whether a connection keeps nothing from one transaction to the next; null to detect it
 * @param driver parameters passed unchanged to the JDBC driver
 */
record PostgresUrl(
        String hosts,
        String database,
        @Nullable String user,
        @Nullable String password,
        String schema,
        boolean create,
        int lanes,
        int pool,
        Duration step,
        Duration timeout,
        @Nullable Boolean pooled,
        Map<String, String> driver) {

    static final Set<String> SCHEMES = Set.of("postgresql", "postgres");

    private static final String EXPECTED = "postgresql://USER:PASSWORD@HOST:PORT/DATABASE?schema=...";
    private static final Pattern SHAPE = Pattern.compile(
            "postgres(?:ql)?://(?:(?<user>[^/?#]*)@)?(?<hosts>[^/?#@]*)/(?<database>[^/?#]+)(?:\\?(?<query>[^#]*))?",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern HOST = Pattern.compile("(?:[^:\\[\\],\\s]+|\\[[0-9a-fA-F:.]+])(?::\\d{1,5})?");

    /** A plain identifier, so that users need no quotes, and short enough to be part of a channel name. */
    private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,53}");

    private static final Pattern POOLED = Pattern.compile("auto|true|false");

    /** Parameters of the driver that do not change how this store works. */
    private static final Set<String> FOR_DRIVER = Set.of(
            "ApplicationName",
            "channelBinding",
            "gssEncMode",
            "hostRecheckSeconds",
            "loadBalanceHosts",
            "prepareThreshold",
            "sslcert",
            "sslkey",
            "sslmode",
            "sslNegotiation",
            "sslpassword",
            "sslrootcert");

    private static final Set<String> OWN = Set.of("schema", "create", "lanes", "pool", "pooled", "step", "timeout");

    /**
     * Parses a URL. Rejects unknown parts.
     *
     * @throws IllegalArgumentException with a message that contains the expected form
     */
    static PostgresUrl parse(String url) {
        return parse(url, "holdfast");
    }

    /** @param usualSchema the schema unless the URL names one */
    static PostgresUrl parse(String url, String usualSchema) {
        Matcher shape = SHAPE.matcher(url);
        if (!shape.matches()) {
            throw bad("store", "postgresql:...", EXPECTED);
        }
        String hosts = shape.group("hosts").isEmpty() ? "localhost" : decode("host", shape.group("hosts"));
        for (String host : hosts.split(",", -1)) {
            if (!HOST.matcher(host).matches()) {
                throw bad("host", host, "HOST or HOST:PORT");
            }
        }
        @Nullable String login = shape.group("user");
        int colon = login == null ? -1 : login.indexOf(':');
        @Nullable String user = login == null ? null : decode("user", colon < 0 ? login : login.substring(0, colon));
        @Nullable String password = login == null || colon < 0 ? null : decode("password", login.substring(colon + 1));
        Map<String, String> given = parameters(shape.group("query"));
        // Enough that one batch is written while another waits for the disk and the response of a third is on its way.
        int lanes = Own.number(given, "lanes", 2, 1, 64);
        return new PostgresUrl(
                hosts,
                decode("database", shape.group("database")),
                user == null || user.isEmpty() ? null : user,
                password,
                Own.of(given, "schema", usualSchema, SCHEMA, "a-z, 0-9 and _, at most 54 of them", text -> text),
                Own.of(given, "create", "true", Pattern.compile("true|false"), "true or false", Boolean::parseBoolean),
                lanes,
                // One connection per lane, one for reads, one spare for other threads of this process.
                Own.number(given, "pool", lanes + 2, 1, 1000),
                Own.duration(given, "step", "500ms", Duration.ZERO),
                Own.duration(given, "timeout", "5s", Duration.ofMillis(100)),
                pooled(Own.of(given, "pooled", "auto", POOLED, "auto, true or false", text -> text)),
                forDriver(given));
    }

    private static Map<String, String> parameters(@Nullable String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : query == null || query.isEmpty() ? List.<String>of() : List.of(query.split("&", -1))) {
            int equals = pair.indexOf('=');
            String name = decode("parameter", equals < 0 ? pair : pair.substring(0, equals));
            if (equals < 0 || (!OWN.contains(name) && !FOR_DRIVER.contains(name))) {
                Set<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
                known.addAll(OWN);
                known.addAll(FOR_DRIVER);
                throw bad("parameter", name, "NAME=VALUE with one of the names " + String.join(", ", known));
            }
            if (parameters.put(name, decode(name, pair.substring(equals + 1))) != null) {
                throw bad("parameter", name, "given once");
            }
        }
        return parameters;
    }

    private static @Nullable Boolean pooled(String text) {
        return text.equals("auto") ? null : Boolean.valueOf(text);
    }

    private static Map<String, String> forDriver(Map<String, String> given) {
        Map<String, String> driver = new LinkedHashMap<>(given);
        driver.keySet().retainAll(FOR_DRIVER);
        if (driver.containsKey("prepareThreshold")) {
            Own.number(given, "prepareThreshold", 0, 0, 1000);
        }
        return Map.copyOf(driver);
    }

    /** Percent-decodes as in a URL, not as in a form: a plus stays a plus. */
    private static String decode(String field, String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw bad(field, "...", "percent-encoding such as %40 for @");
        }
    }

    private static IllegalArgumentException bad(String field, String value, String expected) {
        return new IllegalArgumentException(field + ": " + value + " (expected: " + expected + ")");
    }

    /** Shows the location without the password. */
    @Override
    public String toString() {
        return "postgresql://" + (user == null ? "" : user + "@") + hosts + "/" + database + "?schema=" + schema;
    }

    /** Parser of the store's own parameters. */
    private static final class Own {
        /** More is a mistake in units. PostgreSQL stores its own timeouts as milliseconds of 31 bits. */
        private static final Duration LONGEST = Duration.ofHours(1);

        static <T> T of(
                Map<String, String> given,
                String name,
                String fallback,
                Pattern pattern,
                String expected,
                Function<String, T> read) {
            String value = given.getOrDefault(name, fallback);
            if (!pattern.matcher(value).matches()) {
                throw bad(name, value, expected);
            }
            return read.apply(value);
        }

        static int number(Map<String, String> given, String name, int fallback, int least, int most) {
            String expected = least + " to " + most;
            int number =
                    of(given, name, String.valueOf(fallback), Pattern.compile("\\d{1,6}"), expected, Integer::parseInt);
            if (number < least || number > most) {
                throw bad(name, String.valueOf(number), expected);
            }
            return number;
        }

        static Duration duration(Map<String, String> given, String name, String fallback, Duration least) {
            String value = given.getOrDefault(name, fallback);
            String expected = "a duration such as 500ms or 2s, " + least.toMillis() + "ms to 1h";
            try {
                Duration duration = DurationText.parse(value);
                if (duration.compareTo(least) >= 0 && duration.compareTo(LONGEST) <= 0) {
                    return duration;
                }
            } catch (DateTimeException e) {
                // Rejected below.
            }
            throw bad(name, value, expected);
        }
    }
}
