package dev.holdfast.dynamodb;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Required shape of a table.
 *
 * @param keys the attributes of its key, all of them texts, the partition key first
 * @param timeToLive the attribute by which items expire; empty if there is none
 */
public record TableShape(List<String> keys, Optional<String> timeToLive) {
    /** Returns the key of the item that may hold the format of the table. It is the key of no lease. */
    Map<String, AttributeValue> formatKey() {
        return keys.stream().collect(Collectors.toMap(key -> key, key -> AttributeValue.fromS(FormatLimits.TABLE_KEY)));
    }

    @Override
    public String toString() {
        return String.join(" and ", keys) + (keys.size() == 1 ? " alone, a string" : ", strings");
    }
}
