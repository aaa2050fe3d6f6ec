package dev.holdfast.postgres;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of rows that another program keeps locked: only their own changes fail. */
@Tag("slow")
class LockedRowsTest {
    private static final int LEASES = 100;
    private static final List<Integer> LOCKED = List.of(3, 50, 99);

    private final Server server = Server.shared();
    private final String schema = Server.freshSchema();

    @SuppressWarnings("NullAway.Init")
    private PostgresStore store;

    @SuppressWarnings("NullAway.Init")
    private Connection outsider;

    @BeforeEach
    void open() throws SQLException {
        store = PostgresStore.open(server.url(schema, "timeout=2s"));
        outsider = server.connect();
        outsider.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        outsider.close();
        store.close();
    }

    @Test
    void threeLockedRowsOfAHundredFailAloneAndSucceedOnceUnlocked() throws SQLException {
        List<Entry> entries = inserted(LEASES);
        lock(entries);
        for (int round = 0; round < 3; round++) {
            List<Entry> next = entries.stream().map(Entries::renewed).toList();
            List<WriteOutcome> outcomes = store.apply(replacements(entries, next));
            entries = assertLockedFailAlone(outcomes, entries, next);
        }

        outsider.rollback();

        assertThat(Entries.renewAll(store, entries)).hasSize(LEASES);
    }

    @Test
    void aLockedRowFailsWhileABatchAlsoInsertsAndRemoves() throws SQLException {
        List<Entry> entries = inserted(LEASES);
        lock(entries);
        Entry removed = entries.get(0);
        Entry lockedRemoval = entries.get(50);
        Entry renewed = Entries.renewed(entries.get(1));
        Entry created = Entries.held(Key.of("created"), 2000);

        List<WriteOutcome> outcomes = store.apply(List.of(
                Change.remove(removed.key(), removed.version()),
                Change.remove(lockedRemoval.key(), lockedRemoval.version()),
                Change.replace(entries.get(1).version(), renewed),
                Change.insert(created)));

        assertThat(outcomes.get(0)).isEqualTo(WriteOutcome.APPLIED);
        assertNotAppliedYet(outcomes.get(1));
        assertThat(outcomes.get(2)).isEqualTo(WriteOutcome.APPLIED);
        assertThat(outcomes.get(3)).isEqualTo(WriteOutcome.APPLIED);
        assertThat(stored(removed.key())).isEmpty();
        assertThat(stored(lockedRemoval.key())).contains(lockedRemoval);
        assertThat(stored(renewed.key())).contains(renewed);
        assertThat(stored(created.key())).contains(created);
    }

    @Test
    void aLockedRowAtAnotherVersionIsAConflict() throws SQLException {
        List<Entry> entries = inserted(LEASES);
        lock(entries);
        Entry locked = entries.get(3);

        List<WriteOutcome> outcomes = store.apply(List.of(
                Change.replace(entries.get(99).version(), Entries.renewed(entries.get(99))),
                Change.replace(Entries.version(), Entries.renewed(locked))));

        assertNotAppliedYet(outcomes.get(0));
        assertThat(outcomes.get(1))
                .isInstanceOfSatisfying(
                        WriteOutcome.Conflict.class,
                        conflict -> assertThat(requireNonNull(conflict.stored()).entry())
                                .isEqualTo(locked));
    }

    @Test
    void aLockWhileAConflictIsExaminedFailsOnlyTheConflict() throws SQLException {
        List<Entry> entries = inserted(2);
        Entry renewed = Entries.renewed(entries.get(0));
        try (Statement statement = outsider.createStatement()) {
            statement.execute("LOCK TABLE " + schema + ".meta IN ACCESS EXCLUSIVE MODE");
        }

        List<WriteOutcome> outcomes = store.apply(beforeAConflict(entries, renewed));

        assertThat(outcomes.get(0)).isEqualTo(WriteOutcome.APPLIED);
        assertNotAppliedYet(outcomes.get(1));
        outsider.rollback();
        assertThat(stored(renewed.key())).contains(renewed);
    }

    @Test
    void anErrorWhileAConflictIsExaminedFailsOnlyTheConflict() throws SQLException {
        List<Entry> entries = inserted(2);
        Entry renewed = Entries.renewed(entries.get(0));
        server.execute("ALTER TABLE " + schema + ".meta RENAME TO gone");

        List<WriteOutcome> outcomes = store.apply(beforeAConflict(entries, renewed));

        assertThat(outcomes.get(0)).isEqualTo(WriteOutcome.APPLIED);
        assertThat(outcomes.get(1)).isInstanceOf(WriteOutcome.Failed.class);
        assertThat(stored(renewed.key())).contains(renewed);
    }

    /** A replacement that can be applied, and one that is at a version of its own. */
    private static List<Change> beforeAConflict(List<Entry> entries, Entry renewed) {
        return List.of(
                Change.replace(entries.get(0).version(), renewed),
                Change.replace(Entries.version(), Entries.renewed(entries.get(1))));
    }

    @Test
    void insertsThatWaitForAnUncommittedRowFailAlone() throws SQLException {
        Entry existing = inserted(1).get(0);
        try (Statement statement = outsider.createStatement()) {
            for (int i : LOCKED) {
                statement.execute("INSERT INTO " + schema + ".entry (namespace, name, version, state, fence, grants,"
                        + " stamp, attributes, created_at) VALUES ('new', 'key-" + i
                        + "', gen_random_uuid(), 'FREE', 1,"
                        + " 0, now(), '\\x0100', now())");
            }
        }
        List<Entry> entries = Entries.many("new", LEASES);
        List<Change> changes =
                new ArrayList<>(entries.stream().map(Change::insert).toList());
        changes.add(Change.replace(existing.version(), Entries.renewed(existing)));

        List<Change> left = changes;
        // Finding them takes one short wait after the other; a slow machine may need a second call.
        for (int call = 0; call < 10 && left.size() > LOCKED.size(); call++) {
            left = notApplied(left, store.apply(left));
        }

        assertThat(left).isEqualTo(LOCKED.stream().map(changes::get).toList());
        outsider.rollback();
        assertThat(store.apply(LOCKED.stream().map(changes::get).toList())).containsOnly(WriteOutcome.APPLIED);
    }

    @Test
    void aTableThatIsLockedFailsEveryChangeWithinTheTimeout() throws SQLException {
        List<Entry> entries = inserted(LEASES);
        try (Statement statement = outsider.createStatement()) {
            statement.execute("LOCK TABLE " + schema + ".entry IN ACCESS EXCLUSIVE MODE");
        }
        List<Entry> next = entries.stream().map(Entries::renewed).toList();

        List<WriteOutcome> outcomes = store.apply(replacements(entries, next));

        assertThat(outcomes).hasSize(LEASES).allSatisfy(LockedRowsTest::assertNotAppliedYet);
        outsider.rollback();
        assertThat(Entries.renewAll(store, entries)).hasSize(LEASES);
    }

    @Test
    void anInsertThatWaitsForAnUncommittedRemovalFailsAlone() throws SQLException {
        List<Entry> entries = inserted(LEASES);
        lock(entries);
        try (Statement statement = outsider.createStatement()) {
            statement.execute("DELETE FROM " + schema + ".entry WHERE name = 'key-3'");
        }
        Entry renewed = Entries.renewed(entries.get(1));

        List<WriteOutcome> outcomes = store.apply(List.of(
                Change.insert(Entries.held(entries.get(3).key(), 5000)),
                Change.replace(entries.get(1).version(), renewed),
                Change.insert(Entries.held("good"))));

        assertNotAppliedYet(outcomes.get(0));
        assertThat(outcomes.subList(1, 3)).containsOnly(WriteOutcome.APPLIED);
    }

    private List<Entry> inserted(int count) {
        List<Entry> entries = Entries.many("leases", count);
        assertThat(store.apply(entries.stream().map(Change::insert).toList())).containsOnly(WriteOutcome.APPLIED);
        return entries;
    }

    private void lock(List<Entry> entries) throws SQLException {
        for (int i : LOCKED) {
            try (Statement statement = outsider.createStatement()) {
                statement.execute("SELECT 1 FROM " + schema + ".entry WHERE name = '"
                        + entries.get(i).key().name() + "' FOR UPDATE");
            }
        }
    }

    private static List<Change> replacements(List<Entry> entries, List<Entry> next) {
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            changes.add(Change.replace(entries.get(i).version(), next.get(i)));
        }
        return changes;
    }

    private static List<Change> notApplied(List<Change> changes, List<WriteOutcome> outcomes) {
        List<Change> left = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            if (!outcomes.get(i).equals(WriteOutcome.APPLIED)) {
                assertNotAppliedYet(outcomes.get(i));
                left.add(changes.get(i));
            }
        }
        return left;
    }

    /** Returns the entries that are stored now. */
    private List<Entry> assertLockedFailAlone(List<WriteOutcome> outcomes, List<Entry> before, List<Entry> next) {
        List<Entry> now = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            if (LOCKED.contains(i)) {
                assertNotAppliedYet(outcomes.get(i));
                now.add(before.get(i));
            } else {
                assertThat(outcomes.get(i)).as("change %d", i).isEqualTo(WriteOutcome.APPLIED);
                now.add(next.get(i));
            }
            assertThat(stored(now.get(i).key())).contains(now.get(i));
        }
        return now;
    }

    private static void assertNotAppliedYet(WriteOutcome outcome) {
        assertThat(outcome).isInstanceOfSatisfying(WriteOutcome.Failed.class, failed -> {
            StoreException failure = failed.failure();
            assertThat(failure.effect()).isEqualTo(Effect.NOT_APPLIED);
            assertThat(failure.isRetryable()).isTrue();
        });
    }

    private Optional<Entry> stored(Key key) {
        return store.read(List.of(key)).get(0).map(StoredEntry::entry);
    }
}
