package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class LocalDynamoTest {
    @Test
    void itResponds() {
        try (DynamoDbClient client = LocalDynamo.client()) {
            assertThat(client.listTables().tableNames()).doesNotContain("never-made");
        }
    }
}
