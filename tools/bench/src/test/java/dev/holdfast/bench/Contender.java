package dev.holdfast.bench;

import java.time.Duration;

/** A lock library on DynamoDB. */
interface Contender extends AutoCloseable {
    String name();

    /** Acquires and releases the lock of this name, which has no holder. */
    void cycle(String lock) throws Exception;

    /** Acquires a lock and stops renewing it. Returns how long another client then waits for the lock. */
    Duration takeOver(String lock) throws Exception;

    /** The number of requests sent so far. */
    long requests();

    @Override
    void close();
}
