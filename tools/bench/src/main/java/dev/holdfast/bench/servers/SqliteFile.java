package dev.holdfast.bench.servers;

import java.nio.file.Path;
import java.util.List;

/** A database file without a server. */
record SqliteFile(Path folder) implements OpponentServer {
    @Override
    public String url(String opponent) {
        return "sqlite:" + folder.resolve(opponent + ".db");
    }

    @Override
    public List<ProcessHandle> processes() {
        return List.of();
    }

    @Override
    public String description() {
        return "SQLite, in the client's process, every commit synced";
    }

    @Override
    public void close() {}
}
