package dev.holdfast.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.sqlite.SqliteSchema.SqliteMigration;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.StoreSetup.Finding;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteSchemaTest {
    private static final int OPENERS = 4;
    private static final int ROUNDS = 20;

    private final SqliteStoreProvider provider = new SqliteStoreProvider();

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // named before each test
    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("leases.db");
    }

    @Test
    void severalStoresThatOpenANewFileAtOnceShareIt() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(OPENERS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                Path fresh = folder.resolve("fresh-" + round + ".db");
                assertThat(openTogether(threads, fresh))
                        .filteredOn(WriteOutcome.APPLIED::equals)
                        .as("winners of round %s", round)
                        .hasSize(1);
            }
        } finally {
            threads.shutdown();
        }
    }

    /** Opens the file from several threads, which all try to create one entry. */
    private static List<WriteOutcome> openTogether(ExecutorService threads, Path fresh) throws Exception {
        CyclicBarrier start = new CyclicBarrier(OPENERS);
        Callable<WriteOutcome> opener = () -> {
            start.await();
            try (SqliteStore store = Stores.open(fresh)) {
                return store.apply(List.of(Change.insert(Entries.held("a")))).get(0);
            }
        };
        List<WriteOutcome> outcomes = new ArrayList<>();
        for (Future<WriteOutcome> future : List.of(
                threads.submit(opener), threads.submit(opener), threads.submit(opener), threads.submit(opener))) {
            outcomes.add(future.get(30, TimeUnit.SECONDS));
        }
        return outcomes;
    }

    @Test
    void aFileFromBeforeThisSchemaIsReadAndWrittenWithoutChangingItsSchema() throws IOException, SQLException {
        SchemaOneFile.copyTo(file);

        try (SqliteStore store = Stores.open(file)) {
            assertThat(readAll(store)).containsExactlyInAnyOrderElementsOf(SchemaOneFile.entries());
            assertWritable(store);
        }

        try (Sql sql = new Sql(file)) {
            assertThat(sql.ask("PRAGMA user_version")).isEqualTo("1");
            assertThat(tables(sql)).containsExactly("entry", "meta");
        }
    }

    @Test
    void aFileFromBeforeThisSchemaIsUpgradedByUpgradeAlone() throws IOException, SQLException {
        SchemaOneFile.copyTo(file);

        assertThat(initialize()).isEqualTo("the file exists and is left as it is: " + file);
        try (Sql sql = new Sql(file)) {
            assertThat(tables(sql)).containsExactly("entry", "meta");
        }

        assertThat(upgrade()).isEqualTo("upgraded the schema from version 1 to 3: " + file);
        assertThat(upgrade()).isEqualTo("the schema has version 3, there is nothing to upgrade: " + file);

        try (SqliteStore store = Stores.open(file)) {
            assertThat(readAll(store)).containsExactlyInAnyOrderElementsOf(SchemaOneFile.entries());
            assertWritable(store);
        }
        assertUsableBySchemaOne();
    }

    @Test
    void aNewFileCanBeUsedByTheCodeBeforeThisSchema() throws SQLException {
        Stores.open(file).close();

        assertUsableBySchemaOne();
    }

    /** Runs the checks and the statements of the code of schema 1. */
    private void assertUsableBySchemaOne() throws SQLException {
        try (Sql sql = new Sql(file)) {
            assertThat(sql.ask("PRAGMA application_id")).isEqualTo("" + 0x48667374);
            assertThat(sql.ask("PRAGMA user_version")).isEqualTo("1");
            assertThat(sql.ask("SELECT count(*) FROM meta")).isEqualTo("1");
            assertThat(sql.ask("SELECT version || ' ' || min_reader || ' ' || min_writer FROM schema_version"))
                    .isEqualTo("3 1 1");
            sql.run(
                    "INSERT INTO entry (namespace, name, version, state, token, holder, fence, grants, term_millis, beat,"
                            + " granted_at_micros, anchor_namespace, anchor_name, anchor_fence, attributes,"
                            + " created_at_micros, done_at_micros, boot, stamp_nanos, id) SELECT '', 'old', x'00', 2, null,"
                            + " null, 1, 0, null, null, null, null, null, null, x'01', 1, null, null, null,"
                            + " max(id_floor, coalesce((SELECT max(id) FROM entry), 0)) + 1 FROM meta",
                    "UPDATE meta SET fence_floor = max(fence_floor, 7), id_floor = max(id_floor, 7)",
                    "DELETE FROM entry WHERE name = 'old'");
        }
    }

    @Test
    void openingAnOlderFileNeverChangesItsSchema() throws SQLException {
        Stores.open(file).close();

        try (SqliteStore store = Stores.open(file, next(2, "CREATE TABLE extra (a INTEGER) STRICT"))) {
            assertWritable(store);
        }

        try (Sql sql = new Sql(file)) {
            assertThat(tables(sql)).containsExactly("entry", "meta", "schema_version");
        }
    }

    @Test
    void aNewerSchemaThatThisCodeCanWriteIsUsed() throws SQLException {
        Entry entry = Entries.held("a");
        SqliteSchema next = next(2, "ALTER TABLE entry ADD COLUMN extra INTEGER");
        try (SqliteStore store = Stores.open(file, next)) {
            store.apply(List.of(Change.insert(entry)));
        }

        try (SqliteStore store = Stores.open(file)) {
            assertThat(readAll(store)).containsExactly(entry);
            assertWritable(store);
        }
        assertThat(upgrade()).isEqualTo("the schema has version 4, there is nothing to upgrade: " + file);
        try (Sql sql = new Sql(file)) {
            assertThat(sql.ask("SELECT version || ' ' || min_reader || ' ' || min_writer FROM schema_version"))
                    .isEqualTo("4 1 2");
        }
    }

    @Test
    void aNewerSchemaThatThisCodeCannotWriteIsRejected() throws IOException {
        Stores.open(file, next(4, "ALTER TABLE entry ADD COLUMN extra INTEGER")).close();
        byte[] before = Files.readAllBytes(file);
        String refusal =
                file + ": written by a newer Holdfast: its schema needs version 4 to write, and this Holdfast has 3;"
                        + " it is left as it is: use the newer Holdfast";

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Stores.open(file))
                .withMessage(refusal);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(this::upgrade)
                .withMessage(refusal);
        assertThat(provider.check("sqlite:" + file, Instant::now)).contains(Finding.error(refusal));
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void aFileThatIsUpgradedUnderAnOlderProcessIsNoLongerWrittenByIt() throws SQLException {
        try (SqliteStore store = Stores.open(file)) {
            assertWritable(store);

            upgradeTo(next(2, "ALTER TABLE entry ADD COLUMN extra INTEGER"));
            Entry above = Entry.empty(Key.of("above"), Entries.version(), Fence.of(1_000_000), Instant.EPOCH);
            assertThat(store.apply(List.of(Change.insert(above)))).containsExactly(WriteOutcome.APPLIED);

            upgradeTo(with(
                    next(2, "ALTER TABLE entry ADD COLUMN extra INTEGER"),
                    new SqliteMigration(4, 5, List.of("ALTER TABLE entry ADD COLUMN another INTEGER"))));
            for (List<Change> changes : List.of(
                    List.of(Change.insert(Entries.held("one"))),
                    List.of(Change.insert(Entries.held("two")), Change.insert(Entries.held("three"))))) {
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> store.apply(changes))
                        .withMessageContaining("its schema needs version 5 to write, and this Holdfast has 3");
            }
        }
    }

    @Test
    void aFileThatIsTooOldIsRejectedUntilItIsUpgraded() throws SQLException {
        Stores.open(file).close();
        SqliteSchema strict = new SqliteSchema(
                4, next(4, "ALTER TABLE entry ADD COLUMN extra INTEGER").steps());

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Stores.open(file, strict))
                .withMessage(
                        file + ": has schema 3, and this Holdfast can use 4 and newer: run 'holdfast store upgrade'");

        upgradeTo(strict);
        try (SqliteStore store = Stores.open(file, strict)) {
            assertWritable(store);
        }
    }

    @Test
    void aFailedUpgradeLeavesTheFileUnchanged() throws IOException {
        Stores.open(file).close();
        byte[] before = Files.readAllBytes(file);

        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> upgradeTo(next(2, "CREATE TABLE extra (a)", "no SQL at all")));

        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        Stores.open(file).close();
    }

    @Test
    void thereIsNothingToUpgradeWithoutAFile() {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(this::upgrade)
                .withMessage(file + ": there is nothing to upgrade: 'holdfast store init' creates the file");
        assertThat(file).doesNotExist();
    }

    private String initialize() {
        List<String> progress = new ArrayList<>();
        provider.init("sqlite:" + file, progress::add);
        return String.join("\n", progress);
    }

    private String upgrade() {
        List<String> progress = new ArrayList<>();
        provider.upgrade("sqlite:" + file, progress::add);
        return String.join("\n", progress);
    }

    private void upgradeTo(SqliteSchema schema) throws SQLException {
        SqliteErrors errors = new SqliteErrors(file, SqliteStore.PATIENCE);
        DatabaseFile.of(Stores.url(file), schema, SqliteStore.PATIENCE, errors, FileSystemTypes.system())
                .upgrade();
    }

    /** Returns the current schema plus a step that code of {@code minWriter} can still write. */
    private static SqliteSchema next(int minWriter, String... statements) {
        return with(SqliteSchema.CURRENT, new SqliteMigration(1, minWriter, List.of(statements)));
    }

    private static SqliteSchema with(SqliteSchema schema, SqliteMigration step) {
        List<SqliteMigration> steps = new ArrayList<>(schema.steps());
        steps.add(step);
        return new SqliteSchema(schema.oldest(), steps);
    }

    private static List<String> tables(Sql sql) throws SQLException {
        return sql.ask("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", 1);
    }

    private static List<Entry> readAll(SqliteStore store) {
        return store.scan(EntryScan.of("", 100)).entries().stream()
                .map(StoredEntry::entry)
                .toList();
    }

    /** Inserts, replaces and removes entries, each alone and in a batch. */
    private static void assertWritable(SqliteStore store) {
        List<Entry> held = List.of(Entries.held("alone"), Entries.held("first"), Entries.held("second"));
        List<Entry> freed =
                held.stream().map(entry -> entry.freed(Entries.version())).toList();
        List<Change> all = new ArrayList<>();
        held.forEach(entry -> all.add(Change.insert(entry)));
        for (int i = 0; i < held.size(); i++) {
            all.add(Change.replace(held.get(i).version(), freed.get(i)));
        }
        freed.forEach(entry -> all.add(Change.remove(entry.key(), entry.version())));
        for (int i = 0; i < all.size(); i += held.size()) {
            assertThat(store.apply(all.subList(i, i + 1))).containsOnly(WriteOutcome.APPLIED);
            assertThat(store.apply(all.subList(i + 1, i + held.size()))).containsOnly(WriteOutcome.APPLIED);
        }
    }
}
