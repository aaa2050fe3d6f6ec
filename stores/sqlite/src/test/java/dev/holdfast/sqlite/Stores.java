package dev.holdfast.sqlite;

import dev.holdfast.sqlite.clock.BootClock;
import java.nio.file.Path;
import java.time.Duration;

/** Factory of stores for tests. */
public final class Stores {
    private Stores() {}

    public static SqliteStore open(Path file) {
        return open(file, BootClock.system());
    }

    static SqliteStore open(Path file, BootClock clock) {
        return SqliteStore.open(url(file), clock);
    }

    static SqliteStore open(Path file, Duration patience) {
        return SqliteStore.open(
                url(file), BootClock.system(), patience, SqliteSchema.CURRENT, FileSystemTypes.system());
    }

    static SqliteStore open(Path file, SqliteSchema schema) {
        return SqliteStore.open(url(file), BootClock.system(), SqliteStore.PATIENCE, schema, FileSystemTypes.system());
    }

    /** Relaxed, because a sync for each commit takes most of the time, and only a crash of the machine needs it. */
    static SqliteUrl url(Path file) {
        return new SqliteUrl(file.toAbsolutePath(), false, SqliteUrl.Durability.RELAXED, false);
    }
}
