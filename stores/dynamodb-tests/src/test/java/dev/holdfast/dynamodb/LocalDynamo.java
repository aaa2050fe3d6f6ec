package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.table.DynamoTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/** DynamoDB Local, in memory, on a free port. The first test that needs it starts it, and it ends with the JVM. */
public final class LocalDynamo {
    private static final String REGION = "us-east-1";

    private LocalDynamo() {}

    /** Returns its address. */
    public static URI endpoint() {
        return Running.ENDPOINT;
    }

    /** Returns the URL of a table, which may not exist. */
    public static String url(String table) {
        return "dynamodb://" + table + "?region=" + REGION + "&endpoint=" + endpoint();
    }

    /** Returns the same URL with a long timeout, for a service on a busy machine. */
    public static String patientUrl(String table) {
        return url(table) + "&timeout=60s";
    }

    /** Returns a name that no other test uses. */
    public static String freshTable() {
        return "t-" + UUID.randomUUID();
    }

    /** Returns a client of the SDK, for the operations of other programs on a table. */
    public static DynamoDbClient client() {
        return DynamoTransport.client(DynamoUrl.parse(patientUrl("any")));
    }

    /** A server of its own, for a test that depends on the background work of DynamoDB Local. */
    record OwnServer(URI endpoint, DynamoDBProxyServer server) implements AutoCloseable {
        @Override
        public void close() {
            try {
                server.stop();
            } catch (Exception e) {
                throw new IllegalStateException("DynamoDB Local does not stop", e);
            }
        }
    }

    static OwnServer start() {
        return Running.start();
    }

    private static final class Running {
        static final URI ENDPOINT = start().endpoint();

        private static OwnServer start() {
            // The SDK's default chain looks here first. DynamoDB Local accepts any value.
            System.setProperty("aws.accessKeyId", "local");
            System.setProperty("aws.secretAccessKey", "local");
            try {
                int port = freePort();
                DynamoDBProxyServer server = ServerRunner.createServerFromCommandLineArgs(
                        new String[] {"-inMemory", "-sharedDb", "-disableTelemetry", "-port", String.valueOf(port)});
                server.start();
                return new OwnServer(URI.create("http://localhost:" + port), server);
            } catch (Exception e) {
                throw new IllegalStateException("DynamoDB Local does not start", e);
            }
        }

        private static int freePort() throws IOException {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            }
        }
    }
}
