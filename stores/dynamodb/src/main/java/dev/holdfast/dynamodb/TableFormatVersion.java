package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.table.DynamoTable;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Format limits of a table, read once before the first read or write. Opening the table therefore sends nothing. It is
 * one strongly consistent read. The response also contains the service's time, which one-shot commands need anyway.
 *
 * <p>Thread-safe. After a failed read, the next caller tries again.
 */
final class TableFormatVersion {
    private final DynamoTable dynamoTable;
    private volatile @Nullable FormatLimits known;

    TableFormatVersion(DynamoTable dynamoTable) {
        this.dynamoTable = dynamoTable;
    }

    void requireReadable() {
        limits().requireReadable(name());
    }

    void requireWritable() {
        limits().requireWritable(name());
    }

    private String name() {
        return "the table " + dynamoTable.url().table();
    }

    private FormatLimits limits() {
        FormatLimits limits = known;
        return limits == null ? readOnce() : limits;
    }

    /** All lanes start at once, but only one of them reads. */
    private synchronized FormatLimits readOnce() {
        FormatLimits limits = known;
        if (limits == null) {
            limits = of(dynamoTable);
            known = limits;
        }
        return limits;
    }

    static FormatLimits of(DynamoTable dynamoTable) {
        return FormatLimits.of(
                dynamoTable.get(Map.of(ItemAttribute.KEY.text(), AttributeValue.fromS(FormatLimits.TABLE_KEY))));
    }
}
