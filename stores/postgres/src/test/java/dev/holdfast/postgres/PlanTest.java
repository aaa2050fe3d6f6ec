package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holder;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.store.EntryScan;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every statement finds its rows by an index, on a new table and on a full one. */
class PlanTest {
    private static final String FILL = "INSERT INTO %s.entry (namespace, name, version, state, fence, grants, token, "
            + "holder, stamp, attributes, created_at) SELECT 'ns-' || i %% 50, 'name-' || i, md5(i::text)::uuid, "
            + "CASE WHEN i %% 10 = 0 THEN 'HELD' WHEN i %% 10 = 1 THEN 'FREE' ELSE 'DONE' END, i, 1, "
            + "md5(i::text)::uuid, 'holder-' || i %% 100, now(), '', now() FROM generate_series(1, 20000) i";

    private final Server server = Server.shared();
    private final String name = Server.freshSchema();
    private final PostgresSchema schema = new PostgresSchema(name);
    private int prepares;

    @SuppressWarnings("NullAway.Init")
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        String url = server.url(name);
        PostgresStore.open(url).close();
        connection = server.connect();
        try (Statement statement = connection.createStatement()) {
            statement.execute(SessionSettings.initSql(PostgresUrl.parse(url)));
        }
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
    }

    @Test
    void anEmptyTableIsReadByItsIndexes() throws SQLException {
        assertThat(everyStatement()).allSatisfy(this::assertByIndex);

        // Now the planner knows that the table is empty.
        server.execute("VACUUM ANALYZE " + name + ".entry");
        assertThat(everyStatement()).allSatisfy(this::assertByIndex);
    }

    @Test
    void plansThatWereMadeForAnEmptyTableGoFromKeyToKeyWhenItHasFilled() throws SQLException {
        server.execute("VACUUM ANALYZE " + name + ".entry");

        assertThat(preparedStatements()).allSatisfy(sql -> {
            List<String> lines = plan(sql).lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).contains("Scan using")) {
                    assertThat(lines.get(i)).contains("entry_pkey");
                    assertThat(lines.get(i + 1))
                            .containsPattern("Index Cond: \\(\\(namespace = [^)]*\\)+.* AND \\(name = ");
                }
            }
            assertThat(plan(sql)).contains("entry_pkey").doesNotContain("Seq Scan on entry");
        });
    }

    @Test
    void aFullTableIsReadByItsIndexes() throws SQLException {
        server.execute(FILL.formatted(name));
        assertThat(everyStatement()).allSatisfy(this::assertByIndex);

        server.execute("ANALYZE " + name + ".entry");
        assertThat(everyStatement()).allSatisfy(this::assertByIndex);
    }

    @Test
    void eachScanUsesTheIndexThatHasItsOrder() throws SQLException {
        server.execute(FILL.formatted(name));
        server.execute("ANALYZE " + name + ".entry");
        EntryScan all = EntryScan.of("", 500);

        assertThat(plan(scan(all))).contains("entry_pkey").doesNotContain("Sort");
        assertThat(plan(scan(EntryScan.of("ns-1", 500)))).contains("entry_pkey").doesNotContain("Sort");
        assertThat(plan(scan(all.withState(LeaseState.FREE))))
                .contains("entry_by_state")
                .doesNotContain("Sort");
        assertThat(plan(scan(all.withHolder(Holder.of("a")))))
                .contains("entry_pkey")
                .doesNotContain("Sort");
        assertThat(plan(scan(all.withToken(Token.of(UUID.randomUUID()))))).contains("entry_by_token");
        EntryScan names = EntryScan.ofNames("ns-1", "name-1", 500);
        assertThat(plan(scan(names)))
                .contains("entry_pkey", "(namespace = $1) AND (name >= $2) AND (name < $3)")
                .doesNotContain("Sort");
        assertThat(plan(scan(names.withState(LeaseState.HELD))))
                .contains("entry_by_state")
                .doesNotContain("Sort");
    }

    /** Returns the statements with cached plans. */
    private List<String> preparedStatements() {
        BatchStatements batch = new BatchStatements(UsableTables.newest(schema));
        return List.of(
                PostgresStore.readSql(UsableTables.newest(schema)),
                batch.write(false, false),
                batch.write(true, false),
                batch.write(false, true),
                batch.write(true, true),
                batch.replaceOne(),
                batch.replaceOnly(),
                batch.unapplied(),
                ReleaseListener.markSql(schema));
    }

    private List<String> everyStatement() {
        List<String> statements = new ArrayList<>(preparedStatements());
        EntryScan all = EntryScan.of("", 500);
        String cursor = "YQBi"; // a, NUL, b
        for (EntryScan scan : List.of(all, EntryScan.of("ns-1", 500), EntryScan.ofNames("a", "b", 500))) {
            for (EntryScan filtered : List.of(
                    scan,
                    scan.withState(LeaseState.HELD),
                    scan.withHolder(Holder.of("ann")),
                    scan.withToken(Token.of(UUID.randomUUID())),
                    scan.withState(LeaseState.FREE).withHolder(Holder.of("ann")))) {
                statements.add(scan(filtered));
                statements.add(scan(filtered.after(cursor)));
            }
        }
        return statements;
    }

    private String scan(EntryScan scan) {
        return new PostgresScans(UsableTables.newest(schema), SessionSettings.ofConnections())
                .sql(scan, scan.limit(), new ArrayList<>());
    }

    private void assertByIndex(String sql) {
        assertThat(plan(sql))
                .as(sql)
                .contains("Index")
                .doesNotContain("Seq Scan on entry")
                .doesNotContain("Bitmap")
                .doesNotContain("Hash Join")
                .doesNotContain("Merge Join");
    }

    /** Returns the generic plan, for any parameters. */
    private String plan(String sql) {
        int parameters = (int) sql.chars().filter(c -> c == '?').count();
        String numbered = sql;
        for (int i = 1; i <= parameters; i++) {
            numbered = numbered.replaceFirst("\\?", "\\$" + i);
        }
        String prepared = "plan_" + prepares++;
        String nulls = String.join(", ", Collections.nCopies(parameters, "NULL"));
        StringBuilder plan = new StringBuilder();
        try (Statement statement = connection.createStatement()) {
            statement.execute("PREPARE " + prepared + " AS " + numbered);
            try (ResultSet rows = statement.executeQuery(
                    "EXPLAIN EXECUTE " + prepared + (parameters == 0 ? "" : "(" + nulls + ")"))) {
                while (rows.next()) {
                    plan.append(rows.getString(1)).append('\n');
                }
            }
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
        return plan.toString();
    }
}
