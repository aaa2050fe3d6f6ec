package dev.holdfast.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.StoreSetup.Finding;
import dev.holdfast.store.StoreSetup.Level;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Store that Holdfast wrote before tables recorded which versions may use them. */
class VersionOneTest {
    private final Server server = Server.shared();
    private final String schema = Server.freshSchema();
    private final PostgresStoreProvider provider = new PostgresStoreProvider();

    @BeforeEach
    void restore() throws IOException, SQLException {
        try (InputStream dump = Objects.requireNonNull(VersionOneTest.class.getResourceAsStream("version-1.sql"))) {
            server.execute(new String(dump.readAllBytes(), UTF_8).replace("version_one", schema));
        }
    }

    @Test
    void everyEntryIsRead() throws SQLException {
        try (PostgresStore store = open()) {
            assertThat(entries(store)).containsExactlyInAnyOrderElementsOf(VersionOneEntries.all());
        }
        assertThat(columnsOfMeta()).doesNotContain("min_reader", "min_writer");
    }

    @Test
    void everyEntryIsWrittenAndTheFenceFloorHolds() {
        try (PostgresStore store = open()) {
            assertWorks(store);
        }
    }

    @Test
    void anUpgradeKeepsEverythingAndNewAndOldCodeMayUseIt() throws SQLException {
        List<String> progress = new ArrayList<>();

        provider.upgrade(url(), progress::add);
        provider.upgrade(url(), progress::add);

        assertThat(progress).hasSize(3);
        assertThat(progress.get(1)).startsWith("upgraded the tables, version 2; ");
        assertThat(progress.get(2)).startsWith("the tables need no upgrade, version 2; ");
        // Only code from before min_writer was recorded rejects a version above 1.
        assertThat(server.value(
                        "SELECT concat_ws(' ', schema_version, min_reader, min_writer) FROM " + schema + ".meta"))
                .isEqualTo("2 1 1");
        try (PostgresStore store = open()) {
            assertThat(entries(store)).containsExactlyInAnyOrderElementsOf(VersionOneEntries.all());
            assertWorks(store);
        }
        assertThat(check()).allMatch(finding -> finding.level() == Level.OK);
    }

    @Test
    void anOpenStoreKeepsWorkingDuringAndAfterAnUpgrade() {
        try (PostgresStore store = open()) {
            assertThat(entries(store)).hasSize(6);
            assertThat(Entries.applied(store, Entries.held(Key.of("before"), 3000)))
                    .isTrue();

            provider.upgrade(url(), text -> {});

            assertWorks(store);
        }
    }

    @Test
    void initLeavesItUnchangedAndReportsThatItIsOld() throws SQLException {
        List<String> progress = new ArrayList<>();

        provider.init(url(), progress::add);

        assertThat(progress)
                .containsExactly("the tables are there already, version 1, which is old; holdfast store upgrade brings"
                        + " them up to date");
        assertThat(columnsOfMeta()).doesNotContain("min_reader", "min_writer");
    }

    @Test
    void theCheckReportsThatItCanBeUsedAndUpgraded() {
        assertThat(check())
                .filteredOn(finding -> finding.level() != Level.OK)
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Level.WARNING);
                    assertThat(finding.what())
                            .contains(
                                    "tables of version 1, which this Holdfast can use",
                                    "store upgrade",
                                    "adds the histories of keys");
                });
    }

    private static void assertWorks(PostgresStore store) {
        List<Entry> held = VersionOneEntries.all().stream()
                .filter(entry -> entry.state() == LeaseState.HELD)
                .toList();
        List<Entry> renewed = Entries.renewAll(store, held);
        assertThat(entries(store)).containsAll(renewed);
        WriteOutcome belowFloor = store.apply(
                        List.of(Change.insert(Entries.held(Key.of("late"), VersionOneEntries.FLOOR.value()))))
                .get(0);
        assertThat(belowFloor).isEqualTo(new WriteOutcome.Conflict(null, VersionOneEntries.FLOOR));
        Entry done = VersionOneEntries.all().get(2);
        assertThat(store.apply(List.of(
                        Change.insert(Entries.held(Key.of("new"), 3000)), Change.remove(done.key(), done.version()))))
                .containsExactly(WriteOutcome.APPLIED, WriteOutcome.APPLIED);
    }

    private static List<Entry> entries(PostgresStore store) {
        return store.scan(EntryScan.of("", 100)).entries().stream()
                .map(StoredEntry::entry)
                .toList();
    }

    private List<String> columnsOfMeta() throws SQLException {
        return server.query("SELECT column_name FROM information_schema.columns WHERE table_schema = '" + schema
                + "' AND table_name = 'meta'");
    }

    private List<Finding> check() {
        return PostgresCheck.run(url(), Instant::now);
    }

    private PostgresStore open() {
        return PostgresStore.open(url());
    }

    private String url() {
        return server.url(schema);
    }
}
