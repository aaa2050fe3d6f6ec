package dev.holdfast.dynamodb.foreign;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Conditional write of some attributes of one item, which leaves all others unchanged. Names are always aliased,
 * because {@code owner}, {@code ttl}, {@code status} and {@code key} are words of the expression language.
 */
final class ItemUpdateExpression {
    private final Map<String, AttributeValue> key;
    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, AttributeValue> values = new LinkedHashMap<>();
    private final List<String> sets = new ArrayList<>();
    private final List<String> removes = new ArrayList<>();
    private final List<String> conditions = new ArrayList<>();

    ItemUpdateExpression(Map<String, AttributeValue> key) {
        this.key = key;
    }

    void set(String name, AttributeValue value) {
        sets.add(name(name) + " = " + value(value));
    }

    void remove(String name) {
        removes.add(name(name));
    }

    /** Requires that {@code name} has this value; null requires that it is absent. */
    void onlyIf(String name, @Nullable AttributeValue value) {
        conditions.add(value == null ? "attribute_not_exists(" + name(name) + ")" : name(name) + " = " + value(value));
    }

    /** Requires that the item exists. */
    void onlyIfPresent(String name) {
        conditions.add("attribute_exists(" + name(name) + ")");
    }

    void fill(UpdateItemRequest.Builder request) {
        String update = (sets.isEmpty() ? "" : "SET " + String.join(", ", sets))
                + (removes.isEmpty() ? "" : " REMOVE " + String.join(", ", removes));
        request.key(key)
                .updateExpression(update.strip())
                .conditionExpression(String.join(" AND ", conditions))
                .expressionAttributeNames(names);
        if (!values.isEmpty()) {
            request.expressionAttributeValues(values);
        }
    }

    void fill(DeleteItemRequest.Builder request) {
        request.key(key).conditionExpression(String.join(" AND ", conditions)).expressionAttributeNames(names);
        if (!values.isEmpty()) {
            request.expressionAttributeValues(values);
        }
    }

    private String name(String name) {
        for (Map.Entry<String, String> known : names.entrySet()) {
            if (known.getValue().equals(name)) {
                return known.getKey();
            }
        }
        String alias = "#" + names.size();
        names.put(alias, name);
        return alias;
    }

    private String value(AttributeValue value) {
        String alias = ":" + values.size();
        values.put(alias, value);
        return alias;
    }

    /** Returns {@code foreignItem} as it will be if the write is applied. */
    static ForeignItem after(ForeignItem foreignItem, Map<String, Optional<AttributeValue>> written) {
        Map<String, AttributeValue> after = new HashMap<>(foreignItem.values());
        written.forEach((name, value) -> value.ifPresentOrElse(it -> after.put(name, it), () -> after.remove(name)));
        return new ForeignItem(after);
    }
}
