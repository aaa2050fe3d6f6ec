package dev.holdfast.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What SQLite makes of the statements. */
class StatementsTest {
    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Sql sql;

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
        assertThat(written(Batch.RENEW)).containsOnly(root("entry"));
    }

    @Test
    void theEndOfAGrantWritesTheIndexOfTheStateAlone() throws SQLException {
        assertThat(written(Batch.END)).containsOnly(root("entry"), root("entry_state"));
    }

    @Test
    void aNewGrantWritesAllIndexes() throws SQLException {
        assertThat(written(Batch.REPLACE))
                .contains(root("entry"), root("entry_state"), root("entry_holder"), root("entry_token"));
    }

    /** The second operand of OpenWrite is the root page of what is written. */
    private List<String> written(String statement) throws SQLException {
        List<String> opcodes = sql.ask("EXPLAIN " + statement, 2);
        List<String> operands = sql.ask("EXPLAIN " + statement, 4);
        return IntStream.range(0, opcodes.size())
                .filter(i -> opcodes.get(i).equals("OpenWrite"))
                .mapToObj(operands::get)
                .toList();
    }

    private String root(String name) throws SQLException {
        return sql.ask("SELECT rootpage FROM sqlite_schema WHERE name = '" + name + "'");
    }

    @Test
    void keysAreFoundByThePrimaryKey() throws SQLException {
        for (String statement : List.of(Batch.READ, Batch.RENEW, Batch.END, Batch.REPLACE, Batch.REMOVE)) {
            assertThat(sql.ask("EXPLAIN QUERY PLAN " + statement, 4))
                    .containsExactly("SEARCH entry USING PRIMARY KEY (namespace=? AND name=?)");
        }
    }
}
