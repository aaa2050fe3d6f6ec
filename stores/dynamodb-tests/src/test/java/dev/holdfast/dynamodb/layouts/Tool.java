package dev.holdfast.dynamodb.layouts;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** Base of the models of other tools: values, and writes that return whether their condition held. */
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
        return isApplied(() -> ForeignTable.CLIENT.putItem(request -> request.tableName(table.name)
                .item(item)
                .conditionExpression(condition)
                .expressionAttributeValues(values.isEmpty() ? null : values)));
    }

    boolean update(
            Map<String, AttributeValue> key, String update, String condition, Map<String, AttributeValue> values) {
        return isApplied(() -> ForeignTable.CLIENT.updateItem(request -> request.tableName(table.name)
                .key(key)
                .updateExpression(update)
                .conditionExpression(condition)
                .expressionAttributeNames(aliases(update))
                .expressionAttributeValues(values)));
    }

    boolean delete(Map<String, AttributeValue> key, String condition, Map<String, AttributeValue> values) {
        return isApplied(() -> ForeignTable.CLIENT.deleteItem(request -> request.tableName(table.name)
                .key(key)
                .conditionExpression(condition)
                .expressionAttributeValues(values)));
    }

    /** Returns the alias of a word that a tool uses as a name and the expression language reserves. */
    private static @Nullable Map<String, String> aliases(String update) {
        return update.contains("#ttl") ? Map.of("#ttl", "ttl") : null;
    }

    private static boolean isApplied(Runnable write) {
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
