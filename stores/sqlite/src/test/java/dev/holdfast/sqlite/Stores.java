package dev.holdfast.sqlite;

import java.nio.file.Path;
import java.time.Duration;

/** Opens stores as tests want them. */
final class Stores {
    private Stores() {}

    static SqliteStore open(Path file) {
        return open(file, BootClock.system());
    }

    static SqliteStore open(Path file, BootClock clock) {
        return SqliteStore.open(url(file), clock);
    }

    static SqliteStore open(Path file, Duration patience) {
        return SqliteStore.open(url(file), BootClock.system(), patience, Schema.CURRENT, FileSystemTypes.system());
    }

    static SqliteStore open(Path file, Schema schema) {
        return SqliteStore.open(url(file), BootClock.system(), SqliteStore.PATIENCE, schema, FileSystemTypes.system());
    }

    /** Relaxed: a sync for each commit is what takes most of the time, and only a crash of the machine shows it. */
    static SqliteUrl url(Path file) {
        return new SqliteUrl(file.toAbsolutePath(), false, Durability.RELAXED, false);
    }
}
