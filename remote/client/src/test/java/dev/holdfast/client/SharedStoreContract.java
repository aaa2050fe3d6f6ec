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
 * The contract on real time, through servers that share a store; each client begins with any of them. Two, or as many as
 * {@code -Dholdfast.servers} says. On request, on a machine that has nothing else to do:
 * {@code mvn verify -pl client -am -DexcludedGroups=none}.
 */
@Tag("real-time")
@Execution(ExecutionMode.CONCURRENT)
abstract class SharedStoreContract extends RemoteContract {
    private static final int SERVERS = Integer.getInteger("holdfast.servers", 2);

    private List<TestServer> servers = List.of();

    /** A store with nothing in it. */
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
