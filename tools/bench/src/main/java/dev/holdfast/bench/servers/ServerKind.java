package dev.holdfast.bench.servers;

/** The servers that opponents need. */
public enum ServerKind {
    SQLITE,
    POSTGRES,
    REDIS,
    SERVE_SQLITE,
    SERVE_POSTGRES
}
