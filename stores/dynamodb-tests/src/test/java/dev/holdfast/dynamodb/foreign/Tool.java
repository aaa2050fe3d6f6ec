package dev.holdfast.dynamodb.foreign;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** What the models of other tools share: values, and writes that are told whether their condition held. */
abstract class Tool {
    final ForeignTable table;

    Tool(ForeignTable table) {
        this.table = table;
    }

    static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    static AttributeValue number(long value) {
        return AttributeValue.fromN(String.valueOf(value));
    }

    static long number(Map<String, AttributeValue> item, String name) {
        return Long.parseLong(item.getOrDefault(name, number(0)).n());
    }

    static String text(Map<String, AttributeValue> item, String name) {
        return item.containsKey(name) ? item.get(name).s() : "";
    }

    boolean put(Map<String, AttributeValue> item, String condition, Map<String, AttributeValue> values) {
        return told(() -> ForeignTable.CLIENT.putItem(request -> request.tableName(table.name)
                .item(item)
                .conditionExpression(condition)
                .expressionAttributeValues(values.isEmpty() ? null : values)));
    }

    boolean update(
            Map<String, AttributeValue> key, String update, String condition, Map<String, AttributeValue> values) {
        return told(() -> ForeignTable.CLIENT.updateItem(request -> request.tableName(table.name)
                .key(key)
                .updateExpression(update)
                .conditionExpression(condition)
                .expressionAttributeNames(aliases(update))
                .expressionAttributeValues(values)));
    }

    boolean delete(Map<String, AttributeValue> key, String condition, Map<String, AttributeValue> values) {
        return told(() -> ForeignTable.CLIENT.deleteItem(request -> request.tableName(table.name)
                .key(key)
                .conditionExpression(condition)
                .expressionAttributeValues(values)));
    }

    /** A word of the expression language that a tool has as a name. */
    private static @Nullable Map<String, String> aliases(String update) {
        return update.contains("#ttl") ? Map.of("#ttl", "ttl") : null;
    }

    private static boolean told(Runnable write) {
        try {
            write.run();
            return true;
        } catch (ConditionalCheckFailedException e) {
            return false;
        }
    }

    static Map<String, AttributeValue> with(Map<String, AttributeValue> some, Map<String, AttributeValue> more) {
        Map<String, AttributeValue> all = new HashMap<>(some);
        all.putAll(more);
        return all;
    }
}
