package dev.holdfast.chaos.backend;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The backends by name. */
public final class ChaosBackends {
    private static final Map<String, BackendStarter> STARTERS = starters();

    /** In the order in which {@code --store all} runs them. */
    public static final List<String> NAMES = List.copyOf(STARTERS.keySet());

    private ChaosBackends() {}

    private static Map<String, BackendStarter> starters() {
        Map<String, BackendStarter> starters = new LinkedHashMap<>();
        starters.put("sqlite", SqliteStart::start);
        starters.put("postgres", PostgresStart::single);
        starters.put("failover", PostgresStart::failover);
        starters.put("pgbouncer", PostgresStart::pooled);
        starters.put("dynamodb", DynamoStart::start);
        starters.put("server-sqlite", ServerStart::onSqlite);
        starters.put("servers-postgres", ServerStart::onPostgres);
        return starters;
    }

    /**
     * Starts a backend.
     *
     * @param folder an empty folder for its files
     * @param clients the number of client processes, numbered from 1
     * @throws IllegalArgumentException if there is no backend of that name
     */
    public static ChaosBackend start(String name, Path folder, int clients) throws IOException, InterruptedException {
        BackendStarter starter = STARTERS.get(name);
        if (starter == null) {
            throw new IllegalArgumentException("store: " + name + " (expected: " + String.join(", ", NAMES) + ")");
        }
        ClosingStack open = new ClosingStack();
        try {
            return starter.start(folder, clients, open);
        } catch (IOException | InterruptedException | RuntimeException e) {
            open.close();
            throw e;
        }
    }
}
