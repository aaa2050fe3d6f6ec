package dev.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** Two real instances on one real PostgreSQL. */
@Tag("slow")
class ShopProcessesTest {
    private static final Path TARGET = Path.of(System.getProperty("shop.target", "target"));
    private static final long PATIENCE_NANOS = 120_000_000_000L;

    @Test
    void aJobRunsOncePerPeriodAndTheLeaderMovesWhenItIsKilled() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start();
                ShopProcess first = ShopProcess.start(TARGET, postgres.getJdbcUrl("postgres", "postgres"));
                ShopProcess second = ShopProcess.start(TARGET, postgres.getJdbcUrl("postgres", "postgres"))) {
            JdbcTemplate database = new JdbcTemplate(postgres.getPostgresDatabase());
            await(
                    "both attempt",
                    () -> first.port() > 0
                            && second.port() > 0
                            && attempts(database, first) > 2
                            && attempts(database, second) > 2);
            assertOncePerPeriod(database);

            await("one leads", () -> first.leads() || second.leads());
            assertThat(List.of(first.leads(), second.leads())).containsExactlyInAnyOrder(true, false);
            assertThat(first.get("/actuator/health")).contains("\"holdfast\"").doesNotContain("DOWN");

            ShopProcess leader = first.leads() ? first : second;
            ShopProcess survivor = leader == first ? second : first;
            leader.kill();
            await("the survivor leads", survivor::leads);
            assertThat(survivor.get("/actuator/holdfast")).contains("\"key\":\"price-feed\"");
            assertThat(survivor.get("/actuator/health/holdfast"))
                    .contains("\"status\":\"UP\"")
                    .doesNotContain("DOWN");
            assertThat(survivor.post("/orders/7/ship")).startsWith("7 shipped by " + survivor.name());

            assertThat(leaders(database)).isOne();
            int before = reports(database);
            await("reports go on", () -> reports(database) > before + 1);
            assertOncePerPeriod(database);

            assertThat(survivor.stop()).as(survivor.output()).isTrue();
            assertThat(leaders(database)).as("a leader after an orderly stop").isZero();
        }
    }

    private static void assertOncePerPeriod(JdbcTemplate database) {
        assertThat(reports(database)).isPositive();
        assertThat(count(database, "SELECT count(DISTINCT period) FROM report")).isEqualTo(reports(database));
    }

    private static int reports(JdbcTemplate database) {
        return count(database, "SELECT count(*) FROM report");
    }

    private static int attempts(JdbcTemplate database, ShopProcess instance) {
        return count(database, "SELECT count(*) FROM report_attempt WHERE instance = '" + instance.name() + "'");
    }

    private static int leaders(JdbcTemplate database) {
        return count(database, "SELECT count(*) FROM holdfast.entry WHERE name = 'price-feed' AND state = 'HELD'");
    }

    private static int count(JdbcTemplate database, String sql) {
        return Objects.requireNonNull(database.queryForObject(sql, Integer.class));
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            assertThat(System.nanoTime() - start).as("not in time: " + what).isLessThan(PATIENCE_NANOS);
            Thread.sleep(100);
        }
    }
}
