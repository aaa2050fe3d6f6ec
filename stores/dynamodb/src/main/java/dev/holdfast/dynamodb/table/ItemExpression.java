package dev.holdfast.dynamodb.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Conditions on one item, and the attributes to change; an update leaves all others unchanged. Names are always aliased,
 * because {@code owner}, {@code ttl}, {@code status} and {@code key} are words of the expression language.
 */
public final class ItemExpression {
    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, AttributeValue> values = new LinkedHashMap<>();
    private final List<String> sets = new ArrayList<>();
    private final List<String> removes = new ArrayList<>();
    private final List<String> conditions = new ArrayList<>();

    public ItemExpression set(String name, AttributeValue value) {
        sets.add(name(name) + " = " + value(value));
        return this;
    }

    public ItemExpression remove(String name) {
        removes.add(name(name));
        return this;
    }

    /** Requires that {@code name} has this value; null requires that it is absent. */
    public ItemExpression onlyIf(String name, @Nullable AttributeValue value) {
        conditions.add(value == null ? "attribute_not_exists(" + name(name) + ")" : name(name) + " = " + value(value));
        return this;
    }

    /** Requires that {@code name} is present. */
    public ItemExpression onlyIfPresent(String name) {
        conditions.add("attribute_exists(" + name(name) + ")");
        return this;
    }

    /** Requires that {@code name} is absent, or at most this value. */
    public ItemExpression onlyUpTo(String name, AttributeValue most) {
        conditions.add("(attribute_not_exists(" + name(name) + ") OR " + name(name) + " <= " + value(most) + ")");
        return this;
    }

    /** Requires that {@code name} begins with this text. */
    public ItemExpression onlyFrom(String name, AttributeValue prefix) {
        conditions.add("begins_with(" + name(name) + ", " + value(prefix) + ")");
        return this;
    }

    public boolean isUnconditional() {
        return conditions.isEmpty();
    }

    public void fill(UpdateItemRequest.Builder request) {
        String update = (sets.isEmpty() ? "" : "SET " + String.join(", ", sets))
                + (removes.isEmpty() ? "" : " REMOVE " + String.join(", ", removes));
        request.updateExpression(update.strip())
                .conditionExpression(condition())
                .expressionAttributeNames(names)
                .expressionAttributeValues(valuesOrNull());
    }

    public void fill(DeleteItemRequest.Builder request) {
        request.conditionExpression(condition())
                .expressionAttributeNames(names)
                .expressionAttributeValues(valuesOrNull());
    }

    public void fill(PutItemRequest.Builder request) {
        request.conditionExpression(condition())
                .expressionAttributeNames(names)
                .expressionAttributeValues(valuesOrNull());
    }

    public void fill(ScanRequest.Builder request) {
        request.filterExpression(condition()).expressionAttributeNames(names).expressionAttributeValues(valuesOrNull());
    }

    private String condition() {
        return String.join(" AND ", conditions);
    }

    /** The service rejects an empty map. */
    private @Nullable Map<String, AttributeValue> valuesOrNull() {
        return values.isEmpty() ? null : values;
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
}
