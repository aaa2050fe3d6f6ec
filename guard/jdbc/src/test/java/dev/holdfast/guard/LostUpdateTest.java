package dev.holdfast.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A real process is stopped past its term, and continued: without a guard it destroys the update of the next holder. */
@Tag("slow")
class LostUpdateTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(JdbcDialect.class)
    void withoutAGuardAnUpdateIsLost(JdbcDialect dialect) throws Exception {
        TestDatabase database = TestDatabase.open(dialect, folder);

        assertThat(pausePastTheTerm(database, 0, false)).isEqualTo("written");

        assertThat(database.query("SELECT balance FROM account")).containsExactly(100); // And not 107.
    }

    /** The isolation levels of PostgreSQL, and the default one of the others: see {@link JdbcFenceGuardTest} for theirs. */
    static Stream<Arguments> levels() {
        return JdbcFenceGuardTest.levels()
                .filter(level -> level.get()[0] == JdbcDialect.POSTGRESQL
                        || level.get()[0] == JdbcDialect.SQLITE
                        || level.get()[1].equals(Connection.TRANSACTION_READ_COMMITTED));
    }

    @ParameterizedTest
    @MethodSource("levels")
    void withAGuardNoUpdateIsLost(JdbcDialect dialect, int isolation) throws Exception {
        TestDatabase database = TestDatabase.open(dialect, folder);

        assertThat(pausePastTheTerm(database, isolation, true)).isEqualTo("refused");

        assertThat(database.query("SELECT balance FROM account")).containsExactly(7);
    }

    /** Runs a holder, stops it, adds 7 as the next holder, and continues it. Returns what the first one reports. */
    private String pausePastTheTerm(TestDatabase database, int isolation, boolean guarded) throws Exception {
        String store = "sqlite:" + folder.resolve("leases.db");
        Process holder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PausedHolder.class.getName(),
                        store,
                        database.url(),
                        String.valueOf(isolation),
                        String.valueOf(guarded))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (Leases leases = Holdfast.open(store);
                BufferedReader said =
                        new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(said.readLine()).isEqualTo("holds");
            signal(holder, "STOP");
            AcquireOptions options = AcquireOptions.defaults();
            try (Lease next = leases.acquire(PausedHolder.KEY, options, Duration.ofSeconds(60))
                    .orThrow()) {
                @Nullable Lease guardedBy = guarded ? next : null;
                assertThat(PausedHolder.write(database.url(), isolation, guardedBy, 7))
                        .isEqualTo("written");
            }
            signal(holder, "CONT");
            holder.outputWriter().write("\n");
            holder.outputWriter().flush();
            return String.valueOf(said.readLine());
        } finally {
            holder.destroyForcibly().waitFor();
        }
    }

    private static void signal(Process process, String name) throws Exception {
        List<String> kill = List.of("kill", "-" + name, String.valueOf(process.pid()));
        assertThat(new ProcessBuilder(kill).inheritIO().start().waitFor()).isZero();
    }
}
