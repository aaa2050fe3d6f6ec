package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.dynamodb.table.ItemExpression;
import dev.holdfast.store.EntryScan;
import dev.holdfast.support.ScanCursor;
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
        ItemExpression filter = filter(entryScan);
        ScanResponse response = dynamoTable.scan(request -> fill(request, entryScan, filter));
        List<Map<String, AttributeValue>> found = response.items();
        if (found.size() > entryScan.limit()) {
            // A scan can continue after any key, so the next page finds the surplus again.
            List<Map<String, AttributeValue>> some = found.subList(0, entryScan.limit());
            return new Found(some, cursor(some.get(some.size() - 1)));
        }
        return new Found(found, response.hasLastEvaluatedKey() ? cursor(response.lastEvaluatedKey()) : null);
    }

    private static void fill(ScanRequest.Builder request, EntryScan entryScan, ItemExpression filter) {
        request.consistentRead(true);
        if (filter.isUnconditional()) {
            request.limit(entryScan.limit());
        } else {
            // No limit, because the service would also count items that do not match. A page is then a megabyte of the
            // table.
            filter.fill(request);
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
        // Not parsed: a page may end with the item that holds the format of the table, which has no key of ours.
        return Map.of(ItemAttribute.KEY.text(), ItemAttribute.of(cursor.part(0).substring(CURSOR.length())));
    }

    private static ItemExpression filter(EntryScan entryScan) {
        ItemExpression filter = new ItemExpression();
        String keyText = entryScan.namePrefix() == null
                ? ItemKeyText.ofPrefix(entryScan.prefix())
                : ItemKeyText.ofNames(entryScan.prefix(), entryScan.namePrefix());
        if (!keyText.isEmpty()) {
            filter.onlyFrom(ItemAttribute.KEY.text(), ItemAttribute.of(keyText));
        }
        if (entryScan.state() != null) {
            filter.onlyIf(
                    ItemAttribute.STATE.text(),
                    ItemAttribute.of(entryScan.state().name()));
        }
        if (entryScan.holder() != null) {
            filter.onlyIf(
                    ItemAttribute.HOLDER.text(),
                    ItemAttribute.of(entryScan.holder().name()));
        }
        if (entryScan.token() != null) {
            filter.onlyIf(
                    ItemAttribute.TOKEN.text(),
                    ItemAttribute.of(entryScan.token().secret()));
        }
        return filter;
    }
}
