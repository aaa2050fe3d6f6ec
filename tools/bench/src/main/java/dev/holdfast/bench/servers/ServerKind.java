package dev.holdfast.bench.servers;

/** The servers that opponents need. */
public enum ServerKind {
    SQLITE,
    POSTGRES,
    REDIS,
    ETCD,
    ZOOKEEPER,
    DYNAMODB,
    ACCORD_WIRE,
    SERVE_SQLITE,
    SERVE_POSTGRES
}
