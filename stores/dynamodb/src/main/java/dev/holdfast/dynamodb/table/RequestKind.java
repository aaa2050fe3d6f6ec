package dev.holdfast.dynamodb.table;

/** Kinds of requests that a store sends, as the service bills them. */
public enum RequestKind {
    GET,
    BATCH_GET,
    SCAN,
    PUT,
    UPDATE,
    DELETE;

    public boolean isWrite() {
        return this == PUT || this == UPDATE || this == DELETE;
    }
}
