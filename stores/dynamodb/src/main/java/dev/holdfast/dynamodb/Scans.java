package dev.holdfast.dynamodb;

import dev.holdfast.internal.Check;
import dev.holdfast.spi.Scan;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Pages through the table itself, in the order of hashes, which no write changes. There is no index to be behind: what
 * was acknowledged before a page is on it. What does not match is read, and paid for, but not sent to us.
 */
final class Scans {
    private static final String CURSOR = "dynamodb:";

    private final Table table;

    Scans(Table table) {
        this.table = table;
    }

    /** Some items that match, and where to go on. */
    record Found(
            List<Map<String, AttributeValue>> items,
            @Nullable String cursor) {}

    Found run(Scan scan) {
        Filter filter = Filter.of(scan);
        ScanResponse response = table.scan(request -> ask(request, scan, filter));
        List<Map<String, AttributeValue>> found = response.items();
        if (found.size() > scan.limit()) {
            // Any key will do to go on from, so what is too much is found again by the next page.
            List<Map<String, AttributeValue>> some = found.subList(0, scan.limit());
            return new Found(some, cursor(some.get(some.size() - 1)));
        }
        return new Found(found, response.hasLastEvaluatedKey() ? cursor(response.lastEvaluatedKey()) : null);
    }

    private static void ask(ScanRequest.Builder request, Scan scan, Filter filter) {
        request.consistentRead(true);
        if (filter.conditions.isEmpty()) {
            request.limit(scan.limit());
        } else {
            // No limit: the service would count what does not match. A page is a megabyte of the table then.
            request.filterExpression(String.join(" AND ", filter.conditions))
                    .expressionAttributeNames(filter.names)
                    .expressionAttributeValues(filter.values);
        }
        if (scan.cursor() != null) {
            request.exclusiveStartKey(startKey(scan.cursor()));
        }
    }

    private static String cursor(Map<String, AttributeValue> lastKey) {
        byte[] text = (CURSOR + Attribute.KEY.in(lastKey)).getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
    }

    private static Map<String, AttributeValue> startKey(String cursor) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            if (text.startsWith(CURSOR)) {
                String key = text.substring(CURSOR.length());
                // A page may end with the item that has the format of the table.
                return key.equals(FormatLimits.TABLE_KEY)
                        ? Map.of(Attribute.KEY.text(), Attribute.of(key))
                        : Items.key(KeyText.parse(key));
            }
        } catch (IllegalArgumentException e) {
            throw bad(cursor);
        }
        throw bad(cursor);
    }

    private static IllegalArgumentException bad(String cursor) {
        return Check.bad("cursor", cursor, "one that the page before ended with");
    }

    /** What the service is to look for. */
    private static final class Filter {
        final List<String> conditions = new ArrayList<>();
        final Map<String, String> names = new HashMap<>();
        final Map<String, AttributeValue> values = new HashMap<>();

        static Filter of(Scan scan) {
            Filter filter = new Filter();
            if (!scan.prefix().isEmpty()) {
                filter.values.put(Attribute.KEY.value(), Attribute.of(KeyText.ofPrefix(scan.prefix())));
                filter.names.put(Attribute.KEY.alias(), Attribute.KEY.text());
                filter.conditions.add("begins_with(" + Attribute.KEY.alias() + ", " + Attribute.KEY.value() + ")");
            }
            filter.isEqual(
                    Attribute.STATE, scan.state() == null ? null : scan.state().name());
            filter.isEqual(
                    Attribute.HOLDER,
                    scan.holder() == null ? null : scan.holder().name());
            filter.isEqual(
                    Attribute.TOKEN, scan.token() == null ? null : scan.token().secret());
            return filter;
        }

        private void isEqual(Attribute attribute, @Nullable String wanted) {
            if (wanted != null) {
                names.put(attribute.alias(), attribute.text());
                values.put(attribute.value(), Attribute.of(wanted));
                conditions.add(attribute.alias() + " = " + attribute.value());
            }
        }
    }
}
