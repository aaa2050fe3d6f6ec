package dev.holdfast.bench.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A database file without a server. */
record SqliteFile(Path folder) implements OpponentServer {
    @Override
    public String url(String opponent) {
        return "sqlite:" + folder.resolve(opponent + ".db");
    }

    @Override
    public long storeBytes(String opponent) throws IOException {
        Path file = folder.resolve(opponent + ".db");
        return Files.exists(file) ? Files.size(file) : 0;
    }

    @Override
    public List<ProcessHandle> processes() {
        return List.of();
    }

    @Override
    public String description() {
        return "SQLite, every commit synced";
    }

    @Override
    public void close() {}
}
