package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.dynamodb.LocalDynamo;
import dev.holdfast.guard.FenceGuard;
import dev.holdfast.guard.JdbcDialect;
import dev.holdfast.guard.StaleFenceException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * The guarded examples refuse a holder that does not know of its successor. Two separate stores stand for the time in which it was
 * paused: both grant the key, the second one with the larger fence.
 */
class GuardsTest {
    @TempDir
    private Path folder;

    private Leases before;
    private Leases after;

    @BeforeEach
    void openStores() {
        before = Holdfast.open("sqlite:" + folder.resolve("before.db"));
        after = Holdfast.open("sqlite:" + folder.resolve("after.db"));
    }

    @AfterEach
    void closeStores() {
        before.close();
        after.close();
    }

    private SQLiteDataSource shop() {
        SQLiteDataSource shop = new SQLiteDataSource();
        shop.setUrl("jdbc:sqlite:" + folder.resolve("shop.db"));
        return shop;
    }

    private static Lease acquire(Leases leases, Key key) {
        return leases.tryAcquire(key, AcquireOptions.defaults()).orThrow();
    }

    @Test
    void theStockKeepsTheCountOfTheNewestHolder() throws Exception {
        GuardedStock stock = new GuardedStock(shop());
        stock.createTables(JdbcDialect.SQLITE);
        Key key = GuardedStock.keyOf("apples");
        try (Lease paused = acquire(before, key);
                Lease next = acquire(after, key)) {
            stock.add(paused, "apples", 3);
            stock.add(next, "apples", 4);
            assertThatThrownBy(() -> stock.add(paused, "apples", 100)).isInstanceOf(StaleFenceException.class);
            stock.add(next, "apples", 1);
        }
        assertThat(stock.count("apples")).isEqualTo(8);
    }

    @Test
    void theProgramOfTheStockCanBeRunAgain() throws Exception {
        String[] args = {
            "sqlite:" + folder.resolve("leases.db"), "jdbc:sqlite:" + folder.resolve("shop.db"), "pears", "5"
        };
        GuardedStock.main(args);
        GuardedStock.main(args);
        assertThat(new GuardedStock(shop()).count("pears")).isEqualTo(10);
    }

    @Test
    void theServerOfAccountsRefusesAnOldFenceAndAMissingOne() throws Exception {
        SQLiteDataSource shop = shop();
        try (Connection connection = shop.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE account (id TEXT PRIMARY KEY, balance INTEGER NOT NULL)");
            statement.execute(FenceGuard.jdbc().createTable(JdbcDialect.SQLITE));
            statement.execute("INSERT INTO account VALUES ('7', 0)");
        }
        Key key = GuardedAccounts.keyOf("7");
        try (GuardedAccounts accounts = new GuardedAccounts(shop);
                Lease paused = acquire(before, key);
                Lease next = acquire(after, key)) {
            assertThat(GuardedAccounts.write(accounts.account("7"), paused, 10)).isEqualTo(200);
            assertThat(GuardedAccounts.write(accounts.account("7"), next, 20)).isEqualTo(200);
            assertThat(GuardedAccounts.write(accounts.account("7"), paused, 110))
                    .isEqualTo(412);
            assertThat(GuardedAccounts.write(accounts.account("8"), next, 20)).isEqualTo(404);

            HttpRequest withoutFence = HttpRequest.newBuilder(accounts.account("7"))
                    .PUT(HttpRequest.BodyPublishers.ofString("30"))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(withoutFence, BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(428);
        }
        try (Connection connection = shop.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT balance FROM account WHERE id = '7'")) {
            assertThat(rows.getLong(1)).isEqualTo(20);
        }
    }

    @Test
    void theItemKeepsTheNameOfTheNewestHolder() {
        String table = LocalDynamo.freshTable();
        Key key = GuardedItem.keyOf("7");
        try (DynamoDbClient client = LocalDynamo.client();
                Lease paused = acquire(before, key);
                Lease next = acquire(after, key)) {
            client.createTable(request -> request.tableName(table)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .attributeDefinitions(AttributeDefinition.builder()
                            .attributeName("id")
                            .attributeType(ScalarAttributeType.S)
                            .build())
                    .keySchema(KeySchemaElement.builder()
                            .attributeName("id")
                            .keyType(KeyType.HASH)
                            .build()));
            Map<String, AttributeValue> id = Map.of("id", AttributeValue.fromS("7"));
            client.putItem(request -> request.tableName(table).item(id));

            GuardedItem items = new GuardedItem(client, table);
            items.rename(paused, "7", "Ada");
            items.rename(next, "7", "Grace");
            assertThatThrownBy(() -> items.rename(paused, "7", "late")).isInstanceOf(StaleFenceException.class);
            assertThatThrownBy(() -> items.rename(next, "8", "nobody"))
                    .isInstanceOf(ConditionalCheckFailedException.class);

            assertThat(client.getItem(
                                    request -> request.tableName(table).key(id).consistentRead(true))
                            .item())
                    .containsEntry("displayName", AttributeValue.fromS("Grace"));
        }
    }
}
