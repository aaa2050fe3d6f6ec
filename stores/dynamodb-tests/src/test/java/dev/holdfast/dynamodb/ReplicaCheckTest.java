package dev.holdfast.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.store.StoreSetup.Finding;
import dev.holdfast.store.StoreSetup.Level;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** DynamoDB Local has no replicas, so this test contains the responses of the service. */
class ReplicaCheckTest {
    private String replication = "";
    private final HttpServer service = start();

    private HttpServer start() {
        System.setProperty("aws.accessKeyId", "local");
        System.setProperty("aws.secretAccessKey", "local");
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", this::respond);
            server.start();
            return server;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void respond(HttpExchange exchange) throws IOException {
        String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
        exchange.getRequestBody().readAllBytes();
        byte[] body = text(target.substring(target.indexOf('.') + 1)).getBytes(UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.0");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String text(String action) {
        return switch (action) {
            case "DescribeTable" -> """
                {"Table": {"TableName": "leases", "TableStatus": "ACTIVE",
                 "KeySchema": [{"AttributeName": "key", "KeyType": "HASH"}]%s}}""".formatted(replication);
            case "DescribeTimeToLive" -> "{\"TimeToLiveDescription\": {\"TimeToLiveStatus\": \"DISABLED\"}}";
            default -> "{}";
        };
    }

    @AfterEach
    void stop() {
        service.stop(0);
    }

    private List<Finding> check() {
        String endpoint = "http://localhost:" + service.getAddress().getPort();
        return new DynamoStoreProvider()
                .check("dynamodb://leases?region=us-east-1&timeout=60s&endpoint=" + endpoint, Instant::now);
    }

    @Test
    void replicasThatAreEventuallyConsistentAreAnError() {
        replication = """
                , "GlobalTableVersion": "2019.11.21",
                 "Replicas": [{"RegionName": "us-west-2", "ReplicaStatus": "ACTIVE"},
                              {"RegionName": "eu-west-1", "ReplicaStatus": "ACTIVE"}]""";

        assertThat(check())
                .filteredOn(finding -> finding.level() == Level.ERROR)
                .singleElement()
                .satisfies(finding -> assertThat(finding.what())
                        .startsWith(
                                "it is a global table with replicas in eu-west-1, us-west-2 that are only eventually")
                        .contains("two regions can grant one key at the same time"));
    }

    @Test
    void aGlobalTableOfTheOldKindDoesNotListItsReplicas() {
        replication = ", \"GlobalTableVersion\": \"2017.11.29\"";

        assertThat(check()).anySatisfy(finding -> {
            assertThat(finding.level()).isEqualTo(Level.ERROR);
            assertThat(finding.what()).startsWith("it is a global table with replicas in other regions");
        });
    }

    @Test
    void replicasThatAreStronglyConsistentAreFine() {
        replication = """
                , "GlobalTableVersion": "2019.11.21", "MultiRegionConsistency": "STRONG",
                 "Replicas": [{"RegionName": "us-east-2"}, {"RegionName": "us-west-2"}]""";

        assertThat(check())
                .contains(Finding.ok("its replicas in us-east-2, us-west-2 are strongly consistent"))
                .noneMatch(finding -> finding.level() == Level.ERROR);
    }

    @Test
    void aTableInOneRegionHasNone() {
        assertThat(check()).contains(Finding.ok("it has no replicas in other regions"));
    }
}
