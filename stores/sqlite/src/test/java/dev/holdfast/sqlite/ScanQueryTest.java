package dev.holdfast.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.ScanCursor;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScanQueryTest {
    /**
     * Texts around each change of length in UTF-8 and of order between UTF-16 and UTF-8, and the characters special to
     * LIKE.
     */
    private static final List<String> PIECES = Stream.of(
                    1, 0x25, 0x5f, 0x61, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x1f680, 0x10ffff)
            .map(Character::toString)
            .toList();

    private static final Holder ANN = Holder.of("ann");

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private SqliteStore store;

    @BeforeEach
    void open() {
        store = Stores.open(folder.resolve("leases.db"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void everyPrefixFindsExactlyItsKeysInOrder() {
        List<String> namespaces = namespaces();
        List<WriteOutcome> outcomes = store.apply(namespaces.stream()
                .map(namespace -> Change.insert(Entries.held(Key.of(namespace, "x"))))
                .toList());
        assertThat(outcomes).containsOnly(WriteOutcome.APPLIED);

        for (String prefix : namespaces) {
            assertThat(found(EntryScan.of(prefix, 1000)))
                    .as("prefix %s", ArgumentCheck.printable(prefix))
                    .isEqualTo(namespaces.stream()
                            .filter(namespace -> namespace.startsWith(prefix))
                            .sorted(ArgumentCheck::compareCodePoints)
                            .toList());
        }
    }

    /** Returns each piece alone, and each pair of them. */
    private static List<String> namespaces() {
        List<String> all = new ArrayList<>(List.of(""));
        for (String first : PIECES) {
            all.add(first);
            PIECES.forEach(second -> all.add(first + second));
        }
        return all;
    }

    private List<String> found(EntryScan scan) {
        return store.scan(scan).entries().stream()
                .map(stored -> stored.entry().key().namespace())
                .toList();
    }

    @Test
    void aCursorOfAnotherScanStaysInsideThePrefix() {
        store.apply(Stream.of("a", "b", "c", "d")
                .map(namespace -> Change.insert(Entries.held(Key.of(namespace, "x"))))
                .toList());
        ScanPage first = store.scan(EntryScan.of("", 1));
        ScanPage third = store.scan(EntryScan.of("", 3));

        assertThat(found(EntryScan.of("b", 9).after(first.next().orElseThrow())))
                .containsExactly("b");
        assertThat(found(EntryScan.of("b", 9).after(third.next().orElseThrow())))
                .isEmpty();
    }

    @Test
    void aCursorOfAnotherNamespaceIsRejectedByAScanOfNames() {
        store.apply(Stream.of("a", "b")
                .map(namespace -> Change.insert(Entries.held(Key.of(namespace, "x"))))
                .toList());
        String cursor = store.scan(EntryScan.of("", 1)).next().orElseThrow();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.scan(EntryScan.ofNames("b", "x", 1).after(cursor)))
                .withMessageStartingWith("cursor: ");
    }

    @Test
    void anInventedCursorIsRejected() {
        for (String cursor : new String[] {"", "a", "!", "YQ", "AA", "YQBi\n"}) {
            assertThatIllegalArgumentException()
                    .as(cursor)
                    .isThrownBy(() -> store.scan(EntryScan.of("", 1).after(cursor)))
                    .withMessageStartingWith("cursor: ");
        }
    }

    @Test
    void aPageIsBoundedForAnyRequest() {
        for (int batch = 0; batch < 3; batch++) {
            int from = batch * 400;
            store.apply(Stream.iterate(from, i -> i + 1)
                    .limit(400)
                    .map(i -> Change.insert(Entries.held("key-" + i)))
                    .toList());
        }

        ScanPage scanPage = store.scan(EntryScan.of("", Integer.MAX_VALUE));

        assertThat(scanPage.entries()).hasSize(1000);
        assertThat(store.scan(EntryScan.of("", Integer.MAX_VALUE)
                                .after(scanPage.next().orElseThrow()))
                        .entries())
                .hasSize(200);
    }

    @Test
    void everyScanIsARangeOfAnIndexInOrder() throws SQLException {
        EntryScan all = EntryScan.of("", 10);
        EntryScan below = EntryScan.of("a", 10);
        Token token = Token.of(UUID.randomUUID());
        String byKey = "SEARCH entry USING INDEX entry_key ((namespace,name)>(?,?) AND namespace<?)";
        String[] byState = {
            "MERGE (UNION ALL)",
            "LEFT",
            "SEARCH entry USING INDEX entry_state (state=? AND namespace=? AND rowid>? AND rowid<?)",
            "RIGHT",
            "SEARCH entry USING INDEX entry_state (state=? AND namespace>? AND namespace<?)"
        };
        String byToken = "SEARCH entry USING INDEX entry_token (token=? AND rowid>? AND rowid<?)";

        for (EntryScan scan : List.of(all, below)) {
            assertPlan(scan, byKey);
            assertPlan(scan.withHolder(ANN), byKey);
            for (LeaseState state : LeaseState.values()) {
                assertPlan(scan.withState(state), byState);
                assertPlan(scan.withState(state).withHolder(ANN), byState);
            }
            assertPlan(scan.withToken(token), byToken);
            assertPlan(scan.withToken(token).withState(LeaseState.HELD).withHolder(ANN), byToken);
        }
        String byName = "SEARCH entry USING INDEX entry_key (namespace=? AND name>? AND name<?)";
        EntryScan names = EntryScan.ofNames("a", "b", 10);
        for (EntryScan scan : List.of(names, EntryScan.ofNames("", "", 10))) {
            assertPlan(scan, byName);
            assertPlan(scan.withHolder(ANN), byName);
            assertPlan(scan.withState(LeaseState.HELD), byName);
            assertPlan(scan.withToken(token), byToken);
        }
        assertPlan(names.after(ScanCursor.format("key", "a", "bc")), byName);
    }

    @Test
    void theStartOfAScanIsFoundByAnIndex() throws SQLException {
        try (Sql sql = new Sql(folder.resolve("leases.db"))) {
            assertThat(sql.ask("EXPLAIN QUERY PLAN " + ScanQuery.NEWEST, 4)).containsExactly("SEARCH entry");
        }
    }

    /** The index does not contain the holder, so a page may examine many rows and find few. */
    @Test
    void aPageExaminesABoundedNumberOfRowsAndTheNextContinues() {
        for (int batch = 0; batch < 15; batch++) {
            int from = batch * 400;
            store.apply(Stream.iterate(from, i -> i + 1)
                    .limit(400)
                    .map(i -> Change.insert(Entries.held("key-" + i)))
                    .toList());
        }
        EntryScan unknown = EntryScan.of("", 10).withHolder(Holder.of("unknown"));

        for (EntryScan scan : List.of(unknown, unknown.withState(LeaseState.HELD))) {
            ScanPage first = store.scan(scan);
            assertThat(first.entries()).isEmpty();
            ScanPage second = store.scan(scan.after(first.next().orElseThrow()));
            assertThat(second.entries()).isEmpty();
            assertThat(second.next()).isEmpty();
        }
    }

    @Test
    void aKeyThatIsRemovedAndCreatedAgainIsNotReturnedTwice() {
        List<Entry> entries = Stream.of("a", "b", "c").map(Entries::held).toList();
        store.apply(entries.stream().map(Change::insert).toList());
        EntryScan scan = EntryScan.of("", 1).withState(LeaseState.HELD);
        ScanPage first = store.scan(scan);
        assertThat(first.entries()).extracting(StoredEntry::entry).containsExactly(entries.get(0));

        // The newest entry goes as well: its id must not be assigned again.
        store.apply(List.of(remove(entries.get(0)), remove(entries.get(2))));
        Entry again = above(entries.get(0));
        assertThat(store.apply(List.of(Change.insert(again)))).containsExactly(WriteOutcome.APPLIED);

        ScanPage second = store.scan(scan.after(first.next().orElseThrow()));
        assertThat(second.entries()).extracting(StoredEntry::entry).containsExactly(entries.get(1));
        assertThat(second.next()).isEmpty();
    }

    private static Change remove(Entry entry) {
        return Change.remove(entry.key(), entry.version());
    }

    /** Returns an entry with a fence above that of a removed entry. */
    private static Entry above(Entry entry) {
        return new Entry(
                entry.key(),
                Entries.version(),
                LeaseState.HELD,
                Fence.of(entry.fence().value() + 1),
                1,
                entry.grant(),
                entry.attributes(),
                entry.createdAt(),
                null);
    }

    @Test
    void aCursorOfAnotherKindOfScanIsRejected() {
        store.apply(Stream.of("a", "b", "c")
                .map(name -> Change.insert(Entries.held(name)))
                .toList());
        EntryScan all = EntryScan.of("", 1);
        String cursor = store.scan(all).next().orElseThrow();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.scan(all.withState(LeaseState.HELD).after(cursor)))
                .withMessageStartingWith("cursor: ");
    }

    /** Asserts that there is no full scan, no sorting and no second table. */
    private void assertPlan(EntryScan scan, String... plan) throws SQLException {
        try (Sql sql = new Sql(folder.resolve("leases.db"))) {
            assertThat(sql.ask("EXPLAIN QUERY PLAN " + new ScanQuery(scan).sql(SqliteStatements.WITH_HISTORY), 4))
                    .containsExactly(plan);
        }
    }
}
