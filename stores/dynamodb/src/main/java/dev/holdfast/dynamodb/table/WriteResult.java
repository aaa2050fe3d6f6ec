package dev.holdfast.dynamodb.table;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Outcome of a conditional write. */
public sealed interface WriteResult {
    /**
     * The write took effect, and is durable.
     *
     * @param attributes the attributes that the request wanted returned; empty if none
     */
    record Applied(Map<String, AttributeValue> attributes) implements WriteResult {}

    /**
     * The condition did not hold, and nothing was written.
     *
     * @param current the item at that time; empty if there was none
     */
    record Refused(Map<String, AttributeValue> current) implements WriteResult {}
}
