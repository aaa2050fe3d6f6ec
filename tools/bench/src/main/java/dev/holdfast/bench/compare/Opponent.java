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
    HOLDFAST_DYNAMODB("holdfast-dynamodb", "Holdfast, embedded DynamoDB Local", "holdfast", ServerKind.DYNAMODB),
    REDIS_SET_NX("redis-set-nx", "Redis SET NX PX, Lettuce (no fence)", "lettuce", ServerKind.REDIS),
    REDISSON("redisson", "Redisson RLock", "redisson", ServerKind.REDIS),
    ETCD_LOCK("etcd-lock", "etcd lock, jetcd", "etcd", ServerKind.ETCD),
    ETCD_TXN("etcd-txn", "etcd lease and transaction, jetcd", "etcd", ServerKind.ETCD),
    CURATOR("curator", "ZooKeeper, Curator mutex", "zookeeper", ServerKind.ZOOKEEPER),
    SHEDLOCK("shedlock", "ShedLock on PostgreSQL", "jdbc", ServerKind.POSTGRES),
    SPRING_JDBC("spring-jdbc", "Spring JdbcLockRegistry on PostgreSQL", "jdbc", ServerKind.POSTGRES),
    PG_UPSERT("pg-upsert", "PostgreSQL upsert by hand", "jdbc", ServerKind.POSTGRES),
    PG_ADVISORY("pg-advisory", "PostgreSQL advisory locks (floor: no lease, no write)", "jdbc", ServerKind.POSTGRES),
    PGBENCH("pgbench", "pgbench, prepared: half its single-row updates/s", "", ServerKind.POSTGRES),
    DYNAMODB_LOCK_CLIENT("dynamodb-lock-client", "Amazon DynamoDB Lock Client", "dynamodb", ServerKind.DYNAMODB),
    HOLDFAST_ACCORD_WIRE(
            "holdfast-accord-wire",
            "Holdfast server on PostgreSQL, accord's wire",
            "holdfast",
            ServerKind.SERVE_POSTGRES),
    ACCORD_WIRE("accord-wire", "accord's statements behind its wire", "holdfast", ServerKind.ACCORD_WIRE),
    ACCORD_STATEMENTS("accord-statements", "accord's statements without a wire", "jdbc", ServerKind.POSTGRES);

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

    /** Whether locks can be released; accord's are only done. */
    boolean isLock() {
        return this != PGBENCH && !isAccord();
    }

    private boolean isAccord() {
        return this == HOLDFAST_ACCORD_WIRE || this == ACCORD_WIRE || this == ACCORD_STATEMENTS;
    }

    /** Whether this is Holdfast on a durable store of this machine. */
    boolean isOurs() {
        return this == HOLDFAST_SQLITE
                || this == HOLDFAST_POSTGRES
                || this == HOLDFAST_SERVER_SQLITE
                || this == HOLDFAST_SERVER_POSTGRES;
    }

    static List<Opponent> all() {
        return List.of(values());
    }
}
