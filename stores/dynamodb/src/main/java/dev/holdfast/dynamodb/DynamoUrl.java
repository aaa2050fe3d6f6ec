package dev.holdfast.dynamodb;

import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
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
    private static final Pattern SHAPE =
            Pattern.compile("dynamodb://(?<table>[^/?#]*)/?(?:\\?(?<query>[^#]*))?", Pattern.CASE_INSENSITIVE);

    /** The names that DynamoDB accepts for a table. */
    private static final Pattern TABLE = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");

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
        Matcher shape = SHAPE.matcher(url);
        if (!shape.matches()) {
            throw UrlParameters.bad("store", url, EXPECTED);
        }
        String table = shape.group("table");
        if (!TABLE.matcher(table).matches()) {
            throw UrlParameters.bad("table", table, "3 to 255 of a-z, A-Z, 0-9, _, . and -");
        }
        UrlParameters given = UrlParameters.parse(shape.group("query"));
        TableLayout tableLayout = TableLayout.of(given);
        requireKnown(given, tableLayout);
        return new DynamoUrl(
                table,
                region(given),
                endpoint(given),
                tableLayout,
                given.duration("timeout", Duration.ofSeconds(5), Duration.ofMillis(100)),
                // Requests gain nothing from batching here. Lanes only keep slow requests from delaying others.
                given.number("lanes", 64, 1, 64),
                given.number("inflight", 32, 1, 1000),
                given.flag("units", false),
                given);
    }

    /** Returns this URL with a default for a missing parameter, if the layout has a parameter of that name. */
    DynamoUrl orElse(String name, String value) {
        return layout.parameters().contains(name)
                ? new DynamoUrl(
                        table,
                        region,
                        endpoint,
                        layout,
                        timeout,
                        lanes,
                        inFlight,
                        countsUnits,
                        parameters.orElse(name, value))
                : this;
    }

    private static void requireKnown(UrlParameters given, TableLayout tableLayout) {
        Set<String> known = new TreeSet<>(COMMON);
        known.addAll(tableLayout.parameters());
        for (String name : new TreeSet<>(given.given().keySet())) {
            if (!known.contains(name)) {
                throw UrlParameters.bad(
                        "parameter",
                        name,
                        "with layout=" + tableLayout.word() + " one of " + String.join(", ", known));
            }
        }
    }

    private static @Nullable String region(UrlParameters given) {
        String region = given.text("region").orElse(null);
        if (region != null && !REGION.matcher(region).matches()) {
            throw UrlParameters.bad("region", region, "a region such as eu-central-1");
        }
        return region;
    }

    private static @Nullable URI endpoint(UrlParameters given) {
        String text = given.text("endpoint").orElse(null);
        if (text == null) {
            return null;
        }
        if (!text.matches("https?://[^/?#\\s]+/?")) {
            throw UrlParameters.bad("endpoint", text, "a URL such as http://localhost:8000");
        }
        return URI.create(text);
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
