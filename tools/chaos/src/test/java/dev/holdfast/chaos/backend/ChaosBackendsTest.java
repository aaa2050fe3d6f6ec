package dev.holdfast.chaos.backend;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of each backend with a trivial client and a fault of each kind. Drills take minutes, so they run on demand:
 * {@code -DexcludedGroups=none}, with all faults by {@code -Dholdfast.chaos.drill.all=true}.
 */
class ChaosBackendsTest {
    @TempDir
    private Path folder;

    @Test
    void anUnknownNameIsRejectedWithTheKnownOnes() {
        assertThatThrownBy(() -> ChaosBackends.start("oracle", folder, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("store: oracle (expected: sqlite, postgres");
    }

    @Test
    @Tag("drill")
    void sqliteSurvivesItsFaults() throws Exception {
        BackendDrill.run("sqlite", folder);
    }

    @Test
    @Tag("drill")
    void postgresSurvivesItsFaults() throws Exception {
        BackendDrill.run("postgres", folder);
    }

    @Test
    @Tag("drill")
    void aPromotedStandbyHasEveryLease() throws Exception {
        BackendDrill.run("failover", folder);
    }

    @Test
    @Tag("drill")
    void pgbouncerSurvivesItsFaults() throws Exception {
        BackendDrill.run("pgbouncer", folder);
    }

    @Test
    @Tag("drill")
    void dynamodbSurvivesItsFaults() throws Exception {
        System.setProperty("aws.accessKeyId", "local");
        System.setProperty("aws.secretAccessKey", "local");
        BackendDrill.run("dynamodb", folder);
    }

    @Test
    @Tag("drill")
    void aServerOnSqliteSurvivesItsFaults() throws Exception {
        BackendDrill.run("server-sqlite", folder);
    }

    @Test
    @Tag("drill")
    void twoServersOnPostgresSurviveTheirFaults() throws Exception {
        BackendDrill.run("servers-postgres", folder);
    }
}
