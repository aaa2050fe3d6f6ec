package dev.holdfast.bench;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/** DynamoDB Local, in memory, on a free port. */
record BenchDynamo(DynamoDBProxyServer server, URI endpoint) implements AutoCloseable {
    static BenchDynamo start() throws Exception {
        // The SDK's default credentials chain reads these first. DynamoDB Local accepts any.
        System.setProperty("aws.accessKeyId", "local");
        System.setProperty("aws.secretAccessKey", "local");
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        DynamoDBProxyServer server = ServerRunner.createServerFromCommandLineArgs(
                new String[] {"-inMemory", "-sharedDb", "-disableTelemetry", "-port", String.valueOf(port)});
        server.start();
        return new BenchDynamo(server, URI.create("http://localhost:" + port));
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("DynamoDB Local did not stop", e);
        }
    }
}
