package dev.holdfast.dynamodb;

import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.StoreUrl;
import dev.holdfast.support.UrlParameters;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parsed store URL: {@code dynamodb://TABLE?region=...&endpoint=...&layout=...}.
 *
 * @param region null for the SDK's default chain
 * @param endpoint null for the endpoint of the region
 * @param timeout the longest wait for one response of the service
 * @param inFlight the most requests at once
 * @param countsUnits whether the service should return the capacity units of each request
 * @param parameters all parameters, so that the layout can read its own
 */
@SuppressWarnings("exports") // The module of the layouts sees these types.
public record DynamoUrl(
        String table,
        @Nullable String region,
        @Nullable URI endpoint,
        TableLayout layout,
        Duration timeout,
        int lanes,
        int inFlight,
        boolean countsUnits,
        UrlParameters parameters) {

    static final String SCHEME = "dynamodb";

    private static final String EXPECTED = "dynamodb://TABLE?region=...&endpoint=...&layout=...";

    /** The names that DynamoDB accepts for a table. */
    private static final Pattern TABLE = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");

    private static final Pattern ENDPOINT = Pattern.compile("https?://[^/?#\\s]+/?");
    private static final Pattern REGION = Pattern.compile("[a-z]{2}(-[a-z]+)+-\\d+|local");

    /** The parameters of every layout. */
    private static final Set<String> COMMON =
            Set.of("region", "endpoint", "layout", "timeout", "lanes", "inflight", "units");

    /**
     * Parses a URL. Rejects unknown parts.
     *
     * @throws IllegalArgumentException with a message that contains the expected form
     */
    public static DynamoUrl parse(String url) {
        return of(url, UrlParameters.parse(StoreUrl.parse(url).query()));
    }

    /** Like {@link #parse(String)}, with {@code value} if the parameter {@code name} is missing. */
    public static DynamoUrl parse(String url, String name, String value) {
        return of(url, UrlParameters.parse(StoreUrl.parse(url).query()).orElse(name, value));
    }

    private static DynamoUrl of(String url, UrlParameters given) {
        String table = table(url);
        TableLayout tableLayout = TableLayout.of(given);
        requireKnown(given, tableLayout);
        return new DynamoUrl(
                table,
                given.text("region").isEmpty()
                        ? null
                        : given.text("region", "", REGION, "a region such as eu-central-1"),
                endpoint(given),
                tableLayout,
                given.duration("timeout", Duration.ofSeconds(5), Duration.ofMillis(100)),
                // Requests gain nothing from batching here. Lanes only keep slow requests from delaying others.
                given.number("lanes", 64, 1, 64),
                given.number("inflight", 32, 1, 1000),
                given.flag("units", false),
                given);
    }

    private static String table(String url) {
        StoreUrl parts = StoreUrl.parse(url);
        boolean isTable = parts.isHierarchical() && parts.path().isEmpty() && !parts.hasLogin();
        if (!isTable || !parts.scheme().equals(SCHEME)) {
            throw ArgumentCheck.bad("store", url, EXPECTED);
        }
        if (!TABLE.matcher(parts.authority()).matches()) {
            throw ArgumentCheck.bad("table", parts.authority(), "3 to 255 of a-z, A-Z, 0-9, _, . and -");
        }
        return parts.authority();
    }

    private static void requireKnown(UrlParameters given, TableLayout tableLayout) {
        Set<String> known = new TreeSet<>(COMMON);
        known.addAll(tableLayout.parameters());
        for (String name : new TreeSet<>(given.given().keySet())) {
            if (!known.contains(name)) {
                throw ArgumentCheck.bad(
                        "parameter", name, "with layout=" + tableLayout.word() + " one of " + String.join(", ", known));
            }
        }
    }

    private static @Nullable URI endpoint(UrlParameters given) {
        return given.text("endpoint").isEmpty()
                ? null
                : URI.create(given.text("endpoint", "", ENDPOINT, "a URL such as http://localhost:8000"));
    }

    /** Returns the required shape of the table. */
    public TableShape shape() {
        return layout.shape(parameters);
    }

    /** Returns a URL of the same table for users to type in a command. */
    @Override
    public String toString() {
        String query = (region == null ? "" : "&region=" + region)
                + (endpoint == null ? "" : "&endpoint=" + endpoint)
                + (layout == NativeLayout.INSTANCE ? "" : "&layout=" + layout.word());
        return SCHEME + "://" + table + (query.isEmpty() ? "" : "?" + query.substring(1));
    }
}
