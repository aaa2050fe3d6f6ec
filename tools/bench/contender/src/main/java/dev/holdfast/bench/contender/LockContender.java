package dev.holdfast.bench.contender;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** A lock client that is compared with others. Thread-safe. */
public interface LockContender extends AutoCloseable {
    /** Acquires the lock of this name if it is free, without waiting for a holder. */
    Optional<HeldLock> tryAcquire(String name) throws Exception;

    /** Waits for the lock in the client's own way, or polls if the client has none. */
    default Optional<HeldLock> acquire(String name, Duration wait) throws Exception {
        return PollingWait.acquire(this, name, wait);
    }

    /** The same client without blocking, if it has such calls. */
    default Optional<AsyncContender> async() {
        return Optional.empty();
    }

    /** Whether the client keeps a held lock alive. If not, the load calls {@link HeldLock#renew}. */
    default boolean renewsItself() {
        return true;
    }

    /** The number of threads with which a worker acquires and renews many locks. */
    default int holdingThreads() {
        return 4;
    }

    /** Whether a lock can be marked as done for ever. */
    default boolean hasDone() {
        return false;
    }

    /** The requests and writes that this client sent to its store, where the store itself has no counters. */
    default StoreCounts counts() throws Exception {
        return StoreCounts.NONE;
    }

    @Override
    void close() throws IOException;
}
