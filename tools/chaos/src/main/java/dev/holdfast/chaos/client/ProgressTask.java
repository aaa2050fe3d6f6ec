package dev.holdfast.chaos.client;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import java.time.Duration;

/** The task of a client after all faults have healed: it acquires and releases each key once. */
final class ProgressTask {
    /** Far longer than any term and any time-out of the clients before. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private ProgressTask() {}

    static void run(RecordedCalls calls, String keys) throws InterruptedException {
        AcquireOptions options = AcquireOptions.defaults().term(Duration.ofSeconds(3));
        for (String name : keys.split(",", -1)) {
            RecordedLease lease = calls.acquire(Key.of(name), options, PATIENCE);
            if (lease != null) {
                lease.release();
            }
        }
    }
}
