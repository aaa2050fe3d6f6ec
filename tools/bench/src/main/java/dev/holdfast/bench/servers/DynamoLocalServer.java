package dev.holdfast.bench.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** DynamoDB Local, which keeps everything in memory. It stands for the service's API, not for its durability. */
final class DynamoLocalServer implements OpponentServer {
    private final int port = ServerProgram.freePort();
    private final ServerProgram program;

    DynamoLocalServer(Path folder, ClassPaths classPaths) throws IOException, InterruptedException {
        List<String> command = classPaths.java(
                classPaths.server("dynamodb"),
                "software.amazon.dynamodb.services.local.main.ServerRunner",
                List.of("-inMemory", "-sharedDb", "-disableTelemetry", "-port", String.valueOf(port)));
        program = ServerProgram.start(folder, port, command);
    }

    @Override
    public String url(String opponent) {
        String endpoint = "http://localhost:" + port;
        return opponent.startsWith("holdfast")
                ? "dynamodb://holdfast?region=us-east-1&timeout=60s&endpoint=" + endpoint
                : endpoint;
    }

    @Override
    public List<ProcessHandle> processes() {
        return program.processes();
    }

    @Override
    public String description() {
        return "DynamoDB Local, in memory";
    }

    @Override
    public void close() {
        program.close();
    }
}
