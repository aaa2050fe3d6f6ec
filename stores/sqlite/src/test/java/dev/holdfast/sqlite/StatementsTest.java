package dev.holdfast.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of how SQLite executes the statements. */
class StatementsTest {
    private static final Set<String> CHANGES = Set.of("Insert", "Delete", "IdxInsert", "IdxDelete");

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Sql sql;

    private static final SqliteStatements SQL = SqliteStatements.WITH_HISTORY;

    @BeforeEach
    void open() throws SQLException {
        Path file = folder.resolve("leases.db");
        Stores.open(file).close();
        sql = new Sql(file);
    }

    @AfterEach
    void close() throws SQLException {
        sql.close();
    }

    @Test
    void aRenewalWritesNoIndex() throws SQLException {
        assertThat(written(SQL.renew())).containsOnly(root("entry"));
    }

    @Test
    void theEndOfAGrantWritesTheIndexOfTheStateAlone() throws SQLException {
        assertThat(written(SQL.end())).containsOnly(root("entry"), root("entry_state"));
    }

    @Test
    void aNewGrantWritesAllIndexesButThatOfTheKeys() throws SQLException {
        assertThat(written(SQL.replace())).contains(root("entry"), root("entry_state"), root("entry_token"));
    }

    /**
     * Returns the root pages of the indexes and tables that are written. They are the second operand of OpenWrite. Its
     * first operand is a cursor, as is the first operand of each instruction that changes something. (SQLite may also
     * use OpenWrite for a table that it only searches.)
     */
    private List<String> written(String statement) throws SQLException {
        List<String> opcodes = sql.ask("EXPLAIN " + statement, 2);
        List<String> cursors = sql.ask("EXPLAIN " + statement, 3);
        List<String> roots = sql.ask("EXPLAIN " + statement, 4);
        Set<String> changed = IntStream.range(0, opcodes.size())
                .filter(i -> CHANGES.contains(opcodes.get(i)))
                .mapToObj(cursors::get)
                .collect(Collectors.toSet());
        return IntStream.range(0, opcodes.size())
                .filter(i -> opcodes.get(i).equals("OpenWrite") && changed.contains(cursors.get(i)))
                .mapToObj(roots::get)
                .toList();
    }

    private String root(String name) throws SQLException {
        return sql.ask("SELECT rootpage FROM sqlite_schema WHERE name = '" + name + "'");
    }

    @Test
    void keysAreFoundByThePrimaryKey() throws SQLException {
        for (String statement : List.of(SQL.read(), SQL.renew(), SQL.end(), SQL.replace(), SqliteBatch.REMOVE)) {
            assertThat(sql.ask("EXPLAIN QUERY PLAN " + statement, 4))
                    .containsExactly("SEARCH entry USING INDEX entry_key (namespace=? AND name=?)");
        }
    }
}
