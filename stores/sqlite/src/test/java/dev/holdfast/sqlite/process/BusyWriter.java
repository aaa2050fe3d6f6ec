package dev.holdfast.sqlite.process;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.sqlite.SqliteStoreProvider;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.Version;
import dev.holdfast.store.WriteOutcome;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Process that writes one key as fast as it can, one commit each. It prints the number of writes and the longest
 * duration.
 */
final class BusyWriter {
    private BusyWriter() {}

    /** Arguments: path, name of the key, seconds. Starts when it reads a line. */
    public static void main(String[] arguments) throws IOException {
        Duration life = Duration.ofSeconds(Long.parseLong(arguments[2]));
        Entry entry = Entry.empty(Key.of(arguments[1]), version(), Fence.of(1), Instant.EPOCH);
        long writes = 0;
        long longestNanos = 0;
        try (SystemEnvironment runtime = new SystemEnvironment();
                LeaseStore store = new SqliteStoreProvider().open("sqlite:" + arguments[0], runtime)) {
            store.apply(List.of(Change.insert(entry)));
            System.out.println("ready");
            System.in.read();
            long startNanos = System.nanoTime();
            while (System.nanoTime() - startNanos < life.toNanos()) {
                long writeNanos = System.nanoTime();
                Entry next = entry.withVersion(version());
                WriteOutcome writeOutcome = store.apply(List.of(Change.replace(entry.version(), next)))
                        .get(0);
                if (!writeOutcome.equals(WriteOutcome.APPLIED)) {
                    throw new AssertionError(writeOutcome);
                }
                longestNanos = Math.max(longestNanos, System.nanoTime() - writeNanos);
                entry = next;
                writes++;
            }
        }
        System.out.println(
                "writes " + writes + " " + Duration.ofNanos(longestNanos).toMillis());
    }

    private static Version version() {
        return Version.of(UUID.randomUUID());
    }
}
