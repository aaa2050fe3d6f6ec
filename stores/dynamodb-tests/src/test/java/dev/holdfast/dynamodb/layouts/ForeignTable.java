package dev.holdfast.dynamodb.layouts;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.dynamodb.DatedStores;
import dev.holdfast.dynamodb.LocalDynamo;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Fresh table of another tool, without a time to live, and our access to it. */
final class ForeignTable {
    /** Shared by all tests, and closed with the JVM. */
    static final DynamoDbClient CLIENT = LocalDynamo.client();

    final String name = LocalDynamo.freshTable();
    final List<String> keyNames;
    private final String url;

    /**
     * @param query parameters of the URL, such as {@code layout=kcl}
     * @param keyNames the partition key, and the sort key if there is one
     */
    ForeignTable(String query, String... keyNames) {
        this.keyNames = List.of(keyNames);
        this.url = LocalDynamo.patientUrl(name) + "&" + query;
        List<AttributeDefinition> attributes = Arrays.stream(keyNames)
                .map(key -> AttributeDefinition.builder()
                        .attributeName(key)
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .toList();
        CLIENT.createTable(request -> request.tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(attributes)
                .keySchema(Arrays.stream(keyNames)
                        .map(key -> KeySchemaElement.builder()
                                .attributeName(key)
                                .keyType(key.equals(keyNames[0]) ? KeyType.HASH : KeyType.RANGE)
                                .build())
                        .toList()));
    }

    String url() {
        return url;
    }

    /** Opens a store with its own time, which the service shares. */
    LeaseStore store(HostEnvironment hostEnvironment) {
        return DatedStores.open(url, hostEnvironment, hostEnvironment::now);
    }

    /** Opens a client in real time. */
    Leases open(String holder) {
        return Holdfast.open(url, LeasesOptions.builder().holder(holder).build());
    }

    /** Returns the current item; empty if there is none. */
    Map<String, AttributeValue> item(String... key) {
        Map<String, AttributeValue> of = new HashMap<>();
        for (int i = 0; i < key.length; i++) {
            of.put(keyNames.get(i), AttributeValue.fromS(key[i]));
        }
        return CLIENT.getItem(request -> request.tableName(name).key(of).consistentRead(true))
                .item();
    }
}
