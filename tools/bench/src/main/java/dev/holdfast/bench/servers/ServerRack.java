package dev.holdfast.bench.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The servers of a run. Each is started when an opponent needs it, and all are stopped at the end. */
public final class ServerRack implements AutoCloseable {
    private final Path folder;
    private final ClassPaths classPaths;
    private final Map<ServerKind, OpponentServer> running = new EnumMap<>(ServerKind.class);
    private final List<OpponentServer> started = new ArrayList<>();

    public ServerRack(Path folder, ClassPaths classPaths) {
        this.folder = folder;
        this.classPaths = classPaths;
    }

    public synchronized OpponentServer get(ServerKind kind) throws Exception {
        OpponentServer server = running.get(kind);
        if (server == null) {
            server = start(kind);
            running.put(kind, server);
            started.add(server);
        }
        return server;
    }

    private OpponentServer start(ServerKind kind) throws Exception {
        Path own = Files.createDirectories(folder.resolve(kind.name().toLowerCase(java.util.Locale.ROOT)));
        return switch (kind) {
            case SQLITE -> new SqliteFile(own);
            case POSTGRES -> new PostgresServer();
            case REDIS -> new RedisServer(own);
            case ETCD -> new EtcdServer(own);
            case ZOOKEEPER -> new ZooKeeperServer(own, classPaths);
            case DYNAMODB -> new DynamoLocalServer(own, classPaths);
            case ACCORD_WIRE -> new AccordWireServer(own, classPaths, (PostgresServer) get(ServerKind.POSTGRES));
            case SERVE_SQLITE -> new HoldfastServe(own, classPaths, new SqliteFile(own), "holdfast-server-sqlite");
            case SERVE_POSTGRES ->
                new HoldfastServe(own, classPaths, get(ServerKind.POSTGRES), "holdfast-server-postgres");
        };
    }

    /** The processes of all servers. */
    public synchronized List<ProcessHandle> processes() {
        return started.stream()
                .flatMap(server -> server.processes().stream())
                .distinct()
                .toList();
    }

    /** Stops all servers, also if the run is interrupted meanwhile. */
    @Override
    public synchronized void close() throws IOException {
        // A server may have been started after the store behind it.
        Collections.reverse(started);
        for (OpponentServer server : started) {
            server.close();
        }
        started.clear();
    }
}
