package dev.holdfast.postgres;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toUnmodifiableSet;

import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.StoreUrl;
import dev.holdfast.support.UrlParameters;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parsed store URL: the location of the database and the settings for its use. The password appears in no message and
 * no {@code toString}.
 *
 * @param hosts {@code host:port}, several separated by commas; the primary among them is used
 * @param timeout the longest that one call waits for the database
 * @param pooled whether a connection keeps nothing from one transaction to the next; null to detect it
 * @param history the most lines in the history of a key
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
        int history,
        Map<String, String> driver) {
    static final String DEFAULT_SCHEMA = "holdfast";

    static final Set<String> SCHEMES = Set.of("postgresql", "postgres");

    private static final String EXPECTED = "postgresql://USER:PASSWORD@HOST:PORT/DATABASE?schema=...";
    /** A plain identifier, so that users need no quotes, and short enough to be part of a channel name. */
    private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,53}");

    private static final Pattern POOLED = Pattern.compile("auto|true|false");

    /** More is a mistake in units. PostgreSQL stores its own timeouts as milliseconds of 31 bits. */
    private static final Duration LONGEST = Duration.ofHours(1);

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

    private static final Set<String> KNOWN = Stream.concat(
                    Stream.of("schema", "create", "lanes", "pool", "pooled", "step", "timeout", UrlParameters.HISTORY),
                    FOR_DRIVER.stream())
            .collect(toUnmodifiableSet());

    /**
     * Parses a URL. Rejects unknown parts.
     *
     * @throws IllegalArgumentException with a message that contains the expected form
     */
    static PostgresUrl parse(String url) {
        return parse(url, DEFAULT_SCHEMA);
    }

    /** @param usualSchema the schema unless the URL names one */
    static PostgresUrl parse(String text, String usualSchema) {
        StoreUrl url = StoreUrl.parse(text);
        boolean isOfDatabase = SCHEMES.contains(url.scheme()) && url.isHierarchical();
        if (!isOfDatabase || url.path().isEmpty() || url.path().contains("/")) {
            // The message omits the URL, because it may contain a password.
            throw ArgumentCheck.bad("store", "postgresql:...", EXPECTED);
        }
        UrlParameters given = UrlParameters.parse(url.query(), KNOWN);
        // Enough that one batch is written while another waits for the disk and the response of a third is on its way.
        int lanes = given.number("lanes", 2, 1, 64);
        return new PostgresUrl(
                url.authority().isEmpty()
                        ? "localhost"
                        : url.hosts().stream().map(String::valueOf).collect(joining(",")),
                StoreUrl.decode("database", url.path()),
                url.user(),
                url.password(),
                given.text("schema", usualSchema, SCHEMA, "a-z, 0-9 and _, at most 54 of them"),
                given.flag("create", true),
                lanes,
                // One connection per lane, one for reads, one spare for other threads of this process.
                given.number("pool", lanes + 2, 1, 1000),
                duration(given, "step", Duration.ofMillis(500), Duration.ZERO),
                duration(given, "timeout", Duration.ofSeconds(5), Duration.ofMillis(100)),
                pooled(given.text("pooled", "auto", POOLED, "auto, true or false")),
                given.history(),
                forDriver(given));
    }

    private static Duration duration(UrlParameters given, String name, Duration fallback, Duration least) {
        String expected = "a duration such as 500ms or 2s, " + least.toMillis() + "ms to 1h";
        return given.duration(name, fallback, least, LONGEST, expected);
    }

    private static @Nullable Boolean pooled(String text) {
        return text.equals("auto") ? null : Boolean.valueOf(text);
    }

    private static Map<String, String> forDriver(UrlParameters given) {
        given.number("prepareThreshold", 0, 0, 1000);
        Map<String, String> driver = new HashMap<>(given.given());
        driver.keySet().retainAll(FOR_DRIVER);
        return Map.copyOf(driver);
    }

    /** Shows the location without the password. */
    @Override
    public String toString() {
        return "postgresql://" + (user == null ? "" : user + "@") + hosts + "/" + database + "?schema=" + schema;
    }
}
