package dev.holdfast.examples;

import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.guard.dynamodb.DynamoFenceGuard;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Items of DynamoDB that refuse a holder with an old fence. The guard adds its condition to the request of the application, which
 * keeps its own.
 */
public final class GuardedItem {
    private final DynamoDbClient client;
    private final String table;

    public GuardedItem(DynamoDbClient client, String table) {
        this.client = client;
        this.table = table;
    }

    /** The key that a process must hold to change an item. */
    public static Key keyOf(String id) {
        return Key.of("profiles", id);
    }

    /** Changes the name in an item that exists. Nothing is written if the fence of the lease is no longer the newest. */
    public void rename(Lease lease, String id, String name) {
        DynamoFenceGuard guard = DynamoFenceGuard.of(lease);
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(table)
                .key(Map.of("id", AttributeValue.fromS(id)))
                .updateExpression("SET displayName = :name")
                .conditionExpression("attribute_exists(id)")
                .expressionAttributeValues(Map.of(":name", AttributeValue.fromS(name)))
                .build();
        try {
            client.updateItem(guard.guarded(request));
        } catch (ConditionalCheckFailedException e) {
            throw guard.explain(e); // StaleFenceException, or e if the item does not exist.
        }
    }
}
