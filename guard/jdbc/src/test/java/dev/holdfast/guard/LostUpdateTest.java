package dev.holdfast.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Lease;
import java.nio.file.Path;
import java.sql.Connection;
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

    /** Adds 7 as the next holder while the first one is stopped. Returns what the first one reports. */
    private String pausePastTheTerm(TestDatabase database, int isolation, boolean guarded) throws Exception {
        return PausedProcess.stopPastTheTerm(
                PausedHolder.class,
                "sqlite:" + folder.resolve("leases.db"),
                PausedHolder.KEY,
                next -> {
                    @Nullable Lease guardedBy = guarded ? next : null;
                    assertThat(PausedHolder.write(database.url(), isolation, guardedBy, 7))
                            .isEqualTo("written");
                },
                database.url(),
                String.valueOf(isolation),
                String.valueOf(guarded));
    }
}
