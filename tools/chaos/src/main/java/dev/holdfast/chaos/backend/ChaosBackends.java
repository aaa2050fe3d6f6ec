package dev.holdfast.chaos.backend;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The backends by name. */
public final class ChaosBackends {
    /** In the order in which {@code --store all} runs them. */
    public static final List<String> NAMES = List.of("sqlite");

    private ChaosBackends() {}

    /**
     * Starts a backend.
     *
     * @param folder an empty folder for its files
     * @param clients the number of client processes, numbered from 1
     * @throws IllegalArgumentException if there is no backend of that name
     */
    public static ChaosBackend start(String name, Path folder, int clients) throws IOException, InterruptedException {
        return switch (name) {
            case "sqlite" -> new SqliteBackend(folder);
            default ->
                throw new IllegalArgumentException("store: " + name + " (expected: " + String.join(", ", NAMES) + ")");
        };
    }
}
