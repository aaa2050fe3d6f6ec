package dev.holdfast.examples.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attributes;
import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.testkit.HistoryChecker;
import dev.holdfast.testkit.LeaseHistory;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short version; run the long one with {@code -Dholdfast.fleet.workers=8 -Dholdfast.fleet.units=400}. */
class FleetProcessesTest {
    private static final int WORKERS = Integer.getInteger("holdfast.fleet.workers", 4);
    private static final int UNITS = Integer.getInteger("holdfast.fleet.units", 100);
    private static final Duration TERM = Duration.ofSeconds(3);

    /** Allowance for a busy machine; an idle one needs almost none. */
    private static final Duration SLACK = Duration.ofSeconds(Integer.getInteger("holdfast.fleet.slack.seconds", 60));

    @TempDir
    private Path folder;

    private final Map<String, Long> killed = new HashMap<>();

    @Test
    void onSqliteNoUnitHasTwoWorkersOrIsIdleForLong() throws Exception {
        run("SQLite", "sqlite:" + folder.resolve("leases.db"), Duration.ofMillis(20));
    }

    @Test
    void onPostgresNoUnitHasTwoWorkersOrIsIdleForLong() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("max_connections", "300")
                .start()) {
            String url = "postgresql://postgres:postgres@localhost:" + server.getPort() + "/postgres";
            run("PostgreSQL", url, Duration.ofMillis(500));
        }
    }

    /**
     * @param step how far the store's clock may step: the store waits that much longer before it treats a worker as
     * dead
     */
    private void run(String store, String url, Duration step) throws Exception {
        long start = System.nanoTime();
        try (Leases leases = Holdfast.open(url);
                Crew crew = new Crew(url, folder, TERM)) {
            Fleet.units(leases, Crew.FLEET)
                    .create(IntStream.range(0, UNITS).mapToObj(i -> "unit-" + i).toList(), Attributes.NONE);
            for (int i = 0; i < WORKERS; i++) {
                crew.start();
            }
            crew.awaitBalance(leases, UNITS);
            long balanced = System.nanoTime();

            for (String name : crew.names().subList(0, 2)) {
                killed.put(name, System.nanoTime());
                crew.kill(name);
            }
            crew.awaitAllHeld(leases, UNITS);
            crew.start();
            crew.start();
            crew.awaitBalance(leases, UNITS);

            for (String name : crew.names()) {
                crew.stop(name);
                crew.start();
                crew.awaitAllHeld(leases, UNITS);
            }
            crew.awaitBalance(leases, UNITS);
            long end = System.nanoTime();
            for (String name : crew.names()) {
                crew.kill(name);
            }
            check(store, LeaseHistory.parse(crew.histories()), end, step);
            System.out.printf(
                    "fleet on %s: %d workers x %d units, balanced %.1f s after the first process was started; all %.1f s%n",
                    store, WORKERS, UNITS, (balanced - start) / 1e9, (System.nanoTime() - start) / 1e9);
        }
    }

    private void check(String store, LeaseHistory leaseHistory, long end, Duration step) {
        assertThat(HistoryChecker.check(leaseHistory)).isEmpty();
        Idleness idle = new Idleness(leaseHistory, killed);
        assertThat(idle.heldAt(end)).as("units that were held to the end").isEqualTo(UNITS);
        FleetOptions options = NotingWorker.options(TERM);
        Duration polls = options.poll().multipliedBy(2);
        Duration afterDeath = TERM.plus(TERM.dividedBy(1000)).plus(step).plus(polls);
        System.out.printf(
                "fleet on %s: idle after kill -9, of %d units: median %d ms, longest %d ms (bound %d ms); in %d hand-overs:"
                        + " median %d ms, longest %d ms (bound %d ms)%n",
                store,
                idle.count(true),
                idle.median(true).toMillis(),
                idle.longest(true).toMillis(),
                afterDeath.toMillis(),
                idle.count(false),
                idle.median(false).toMillis(),
                idle.longest(false).toMillis(),
                polls.toMillis());
        assertThat(idle.count(true)).isGreaterThanOrEqualTo(UNITS / WORKERS);
        assertThat(idle.longest(true)).isLessThanOrEqualTo(afterDeath.plus(SLACK));
        assertThat(idle.longest(false)).isLessThanOrEqualTo(polls.plus(SLACK));
    }
}
