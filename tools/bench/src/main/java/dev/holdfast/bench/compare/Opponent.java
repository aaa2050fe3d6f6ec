package dev.holdfast.bench.compare;

import dev.holdfast.bench.servers.ServerKind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The lock clients of the comparison. */
enum Opponent {
    HOLDFAST_SQLITE("holdfast-sqlite", "Holdfast, embedded SQLite", "holdfast", ServerKind.SQLITE),
    HOLDFAST_POSTGRES("holdfast-postgres", "Holdfast, embedded PostgreSQL", "holdfast", ServerKind.POSTGRES),
    HOLDFAST_SERVER_SQLITE("holdfast-server-sqlite", "Holdfast server on SQLite", "holdfast", ServerKind.SERVE_SQLITE),
    HOLDFAST_SERVER_POSTGRES(
            "holdfast-server-postgres", "Holdfast server on PostgreSQL", "holdfast", ServerKind.SERVE_POSTGRES),
    REDIS_SET_NX("redis-set-nx", "Redis SET NX PX, Lettuce", "lettuce", ServerKind.REDIS),
    SHEDLOCK("shedlock", "ShedLock on PostgreSQL", "jdbc", ServerKind.POSTGRES);

    /** The name in options and files. */
    final String id;

    final String title;

    /** The module with the client and its class path. */
    final String module;

    final ServerKind server;

    Opponent(String id, String title, String module, ServerKind server) {
        this.id = id;
        this.title = title;
        this.module = module;
        this.server = server;
    }

    static Opponent of(String id) {
        return Arrays.stream(values())
                .filter(opponent -> opponent.id.equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("opponent: " + id + " (expected: " + ids() + ")"));
    }

    private static String ids() {
        return Arrays.stream(values()).map(opponent -> opponent.id).collect(Collectors.joining(", "));
    }

    static List<Opponent> all() {
        return List.of(values());
    }
}
