package dev.holdfast.chaos.backend;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A store that is one SQLite file, opened by every client process. */
final class SqliteBackend implements ChaosBackend {
    private final Path file;

    SqliteBackend(Path folder) {
        this.file = folder.resolve("leases.db");
    }

    @Override
    public String url(int client) {
        return "sqlite:" + file.toAbsolutePath();
    }

    @Override
    public Map<String, String> environment(int client) {
        return Map.of();
    }

    @Override
    public List<ChaosFault> faults() {
        return List.of();
    }

    @Override
    public void close() {}
}
