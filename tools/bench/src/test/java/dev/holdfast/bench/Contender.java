package dev.holdfast.bench;

import java.time.Duration;

/** A way to lock on DynamoDB. */
interface Contender extends AutoCloseable {
    String name();

    /** Acquires and releases the lock of this name, which nobody else has. */
    void cycle(String lock) throws Exception;

    /** Acquires it and dies; then how long another, who waits from that moment on, takes to get it. */
    Duration takeOver(String lock) throws Exception;

    /** How many requests were sent so far. */
    long requests();

    @Override
    void close();
}
