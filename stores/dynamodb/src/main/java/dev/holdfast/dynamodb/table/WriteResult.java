package dev.holdfast.dynamodb.table;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What became of a conditional write. */
public sealed interface WriteResult {
    /**
     * It took effect, and is durable.
     *
     * @param attributes what the request asked to be returned; empty if it asked for nothing
     */
    record Applied(Map<String, AttributeValue> attributes) implements WriteResult {}

    /**
     * The condition did not hold; nothing was written.
     *
     * @param current the item as it was then; empty if there was none
     */
    record Refused(Map<String, AttributeValue> current) implements WriteResult {}
}
