package dev.holdfast.client;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract in real time, through servers that share a store. Each client starts with any of them. There are two
 * servers, or {@code -Dholdfast.servers}. Runs on request, on an otherwise idle machine: {@code mvn verify -pl
 * remote/client -am -DexcludedGroups=none}.
 */
@Tag("real-time")
@Execution(ExecutionMode.CONCURRENT)
abstract class SharedStoreContract extends RemoteContract {
    private static final int SERVERS = Integer.getInteger("holdfast.servers", 2);

    private List<TestServer> servers = List.of();

    /** Returns an empty store. */
    abstract String emptyStore();

    @BeforeEach
    void startServers() {
        String store = emptyStore();
        servers = IntStream.range(0, SERVERS)
                .mapToObj(server -> TestServer.on(store))
                .toList();
    }

    @Override
    String url() {
        return servers.stream().map(TestServer::host).collect(joining(",", "http://", ""));
    }

    @AfterEach
    void stopServers() {
        closeRemotes();
        servers.forEach(TestServer::close);
    }
}
