package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.table.DynamoTable;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The limits of a table, asked for once: before the first read or write, not when the table is opened, so that opening sends
 * nothing. One strongly consistent read; its answer also brings the service's time, which one-shot commands ask for anyway.
 *
 * <p>Thread-safe. A look that failed is made again by the next caller.
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
        return limits == null ? look() : limits;
    }

    /** All lanes begin at once: one of them asks. */
    private synchronized FormatLimits look() {
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
