package dev.holdfast.bench.compare;

import dev.holdfast.bench.PgbenchLoad;
import dev.holdfast.bench.servers.PostgresServer;
import java.io.IOException;
import java.util.Map;

/** PostgreSQL's own load generator, as a yardstick: two updates of a row count as a pair. */
final class PgbenchStand implements LoadStand {
    private final PgbenchLoad pgbench;
    private final int seconds;

    PgbenchStand(PostgresServer server, int seconds) throws IOException, InterruptedException {
        this.seconds = seconds;
        pgbench = new PgbenchLoad(server.port());
        pgbench.prepare();
    }

    @Override
    public Map<String, Double> measure(LoadCell cell, int round) throws IOException, InterruptedException {
        return cell.async()
                ? Map.of()
                : Map.of("pairs/s", pgbench.writesPerSecond("prepared", cell.size(), seconds) / 2);
    }

    @Override
    public void close() {}
}
