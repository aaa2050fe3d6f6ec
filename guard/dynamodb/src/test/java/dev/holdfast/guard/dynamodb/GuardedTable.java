package dev.holdfast.guard.dynamodb;

import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** A table of a test in DynamoDB Local, whose items have the key {@code id}. */
record GuardedTable(DynamoDbClient client, String name) implements AutoCloseable {
    static GuardedTable create(URI endpoint, String name) {
        GuardedTable table = open(endpoint, name);
        table.client.createTable(CreateTableRequest.builder()
                .tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(AttributeDefinition.builder()
                        .attributeName("id")
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .keySchema(KeySchemaElement.builder()
                        .attributeName("id")
                        .keyType(KeyType.HASH)
                        .build())
                .build());
        return table;
    }

    static GuardedTable open(URI endpoint, String name) {
        DynamoDbClient client = DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .httpClient(UrlConnectionHttpClient.create())
                .build();
        return new GuardedTable(client, name);
    }

    static Map<String, AttributeValue> key(String id) {
        return Map.of("id", AttributeValue.fromS(id));
    }

    static AttributeValue number(long value) {
        return AttributeValue.fromN(String.valueOf(value));
    }

    /** The attributes of an item; empty if it does not exist. */
    Map<String, AttributeValue> read(String id) {
        return client.getItem(request -> request.tableName(name).key(key(id)).consistentRead(true))
                .item();
    }

    /** An attribute of an item; the value null of DynamoDB if it does not exist. */
    AttributeValue attribute(String id, String attribute) {
        return read(id).getOrDefault(attribute, AttributeValue.fromNul(true));
    }

    @Override
    public void close() {
        client.close();
    }
}
