package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.store.EntryScan;
import dev.holdfast.support.ScanCursor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Scans of the table itself, in the order of hashes, which no write changes. No index is involved that could lag, so a
 * page contains everything acknowledged before it. Items that do not match are read and charged, but not sent to us.
 */
final class TableScans {
    private static final String CURSOR = "dynamodb:";

    private final DynamoTable dynamoTable;

    TableScans(DynamoTable dynamoTable) {
        this.dynamoTable = dynamoTable;
    }

    /** Some matching items, and the cursor of the next page. */
    record Found(
            List<Map<String, AttributeValue>> items,
            @Nullable String cursor) {}

    Found run(EntryScan entryScan) {
        Filter filter = Filter.of(entryScan);
        ScanResponse response = dynamoTable.scan(request -> fill(request, entryScan, filter));
        List<Map<String, AttributeValue>> found = response.items();
        if (found.size() > entryScan.limit()) {
            // A scan can continue after any key, so the next page finds the surplus again.
            List<Map<String, AttributeValue>> some = found.subList(0, entryScan.limit());
            return new Found(some, cursor(some.get(some.size() - 1)));
        }
        return new Found(found, response.hasLastEvaluatedKey() ? cursor(response.lastEvaluatedKey()) : null);
    }

    private static void fill(ScanRequest.Builder request, EntryScan entryScan, Filter filter) {
        request.consistentRead(true);
        if (filter.conditions.isEmpty()) {
            request.limit(entryScan.limit());
        } else {
            // No limit, because the service would also count items that do not match. A page is then a megabyte of the
            // table.
            request.filterExpression(String.join(" AND ", filter.conditions))
                    .expressionAttributeNames(filter.names)
                    .expressionAttributeValues(filter.values);
        }
        if (entryScan.cursor() != null) {
            request.exclusiveStartKey(startKey(entryScan.cursor()));
        }
    }

    private static String cursor(Map<String, AttributeValue> lastKey) {
        return ScanCursor.format(CURSOR + ItemAttribute.KEY.in(lastKey));
    }

    private static Map<String, AttributeValue> startKey(String text) {
        ScanCursor cursor = ScanCursor.parse(text, 1);
        if (!cursor.part(0).startsWith(CURSOR)) {
            throw cursor.bad();
        }
        String key = cursor.part(0).substring(CURSOR.length());
        try {
            // A page may end with the item that holds the format of the table.
            return key.equals(FormatLimits.TABLE_KEY)
                    ? Map.of(ItemAttribute.KEY.text(), ItemAttribute.of(key))
                    : EntryItems.key(ItemKeyText.parse(key));
        } catch (IllegalArgumentException e) {
            throw cursor.bad();
        }
    }

    /** Filter expression of a scan. */
    private static final class Filter {
        final List<String> conditions = new ArrayList<>();
        final Map<String, String> names = new HashMap<>();
        final Map<String, AttributeValue> values = new HashMap<>();

        static Filter of(EntryScan entryScan) {
            Filter filter = new Filter();
            if (!entryScan.prefix().isEmpty()) {
                filter.values.put(
                        ItemAttribute.KEY.value(), ItemAttribute.of(ItemKeyText.ofPrefix(entryScan.prefix())));
                filter.names.put(ItemAttribute.KEY.alias(), ItemAttribute.KEY.text());
                filter.conditions.add(
                        "begins_with(" + ItemAttribute.KEY.alias() + ", " + ItemAttribute.KEY.value() + ")");
            }
            filter.isEqual(
                    ItemAttribute.STATE,
                    entryScan.state() == null ? null : entryScan.state().name());
            filter.isEqual(
                    ItemAttribute.HOLDER,
                    entryScan.holder() == null ? null : entryScan.holder().name());
            filter.isEqual(
                    ItemAttribute.TOKEN,
                    entryScan.token() == null ? null : entryScan.token().secret());
            return filter;
        }

        private void isEqual(ItemAttribute itemAttribute, @Nullable String wanted) {
            if (wanted != null) {
                names.put(itemAttribute.alias(), itemAttribute.text());
                values.put(itemAttribute.value(), ItemAttribute.of(wanted));
                conditions.add(itemAttribute.alias() + " = " + itemAttribute.value());
            }
        }
    }
}
