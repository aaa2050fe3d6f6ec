package dev.holdfast.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.internal.Check;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.Stored;
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
    private static final String HIGHEST = Character.toString(Character.MAX_CODE_POINT);

    /** Around every place where the length of UTF-8, or UTF-16 and UTF-8 in their order, change; and what LIKE minds. */
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
    void theEndOfAPrefixIsTheNextTextThatDoesNotBeginSo() {
        assertThat(ScanQuery.above("a")).isEqualTo("b");
        assertThat(ScanQuery.above("a/")).isEqualTo("a0");
        assertThat(ScanQuery.above("a\uD7FF")).isEqualTo("a\uE000");
        assertThat(ScanQuery.above("a\uFFFF")).isEqualTo("a\uD800\uDC00");
        assertThat(ScanQuery.above("a\uD83D\uDE80")).isEqualTo("a\uD83D\uDE81");
        assertThat(ScanQuery.above("a" + HIGHEST + HIGHEST)).isEqualTo("b");
        assertThat(ScanQuery.above(HIGHEST)).isNull();
        assertThat(ScanQuery.above("")).isNull();
    }

    @Test
    void everyPrefixFindsWhatBeginsSoAndNothingElseInKeyOrder() {
        List<String> namespaces = namespaces();
        List<Outcome> outcomes = store.apply(namespaces.stream()
                .map(namespace -> Change.insert(Entries.held(Key.of(namespace, "x"))))
                .toList());
        assertThat(outcomes).containsOnly(Outcome.APPLIED);

        for (String prefix : namespaces) {
            assertThat(found(Scan.of(prefix, 1000)))
                    .as("prefix %s", Check.printable(prefix))
                    .isEqualTo(namespaces.stream()
                            .filter(namespace -> namespace.startsWith(prefix))
                            .sorted(Check::compareCodePoints)
                            .toList());
        }
    }

    /** Each piece alone, and each pair of them. */
    private static List<String> namespaces() {
        List<String> all = new ArrayList<>(List.of(""));
        for (String first : PIECES) {
            all.add(first);
            PIECES.forEach(second -> all.add(first + second));
        }
        return all;
    }

    private List<String> found(Scan scan) {
        return store.scan(scan).entries().stream()
                .map(stored -> stored.entry().key().namespace())
                .toList();
    }

    @Test
    void aCursorOfAnotherScanLeadsNowhereElse() {
        store.apply(Stream.of("a", "b", "c", "d")
                .map(namespace -> Change.insert(Entries.held(Key.of(namespace, "x"))))
                .toList());
        Page first = store.scan(Scan.of("", 1));
        Page third = store.scan(Scan.of("", 3));

        assertThat(found(Scan.of("b", 9).after(first.next().orElseThrow()))).containsExactly("b");
        assertThat(found(Scan.of("b", 9).after(third.next().orElseThrow()))).isEmpty();
    }

    @Test
    void aCursorThatNoPageEndedWithIsRefused() {
        for (String cursor : new String[] {"", "a", "!", "YQ", "AA", "YQBi\n"}) {
            assertThatIllegalArgumentException()
                    .as(cursor)
                    .isThrownBy(() -> store.scan(Scan.of("", 1).after(cursor)))
                    .withMessageStartingWith("cursor: ");
        }
    }

    @Test
    void aPageIsBoundedWhateverIsAsked() {
        for (int batch = 0; batch < 3; batch++) {
            int from = batch * 400;
            store.apply(Stream.iterate(from, i -> i + 1)
                    .limit(400)
                    .map(i -> Change.insert(Entries.held("key-" + i)))
                    .toList());
        }

        Page page = store.scan(Scan.of("", Integer.MAX_VALUE));

        assertThat(page.entries()).hasSize(1000);
        assertThat(store.scan(Scan.of("", Integer.MAX_VALUE).after(page.next().orElseThrow()))
                        .entries())
                .hasSize(200);
    }

    @Test
    void everyScanIsARangeOfAnIndexInOrder() throws SQLException {
        Scan all = Scan.of("", 10);
        Scan below = Scan.of("a", 10);
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

        for (Scan scan : List.of(all, below)) {
            assertPlan(scan, byKey);
            assertPlan(scan.withHolder(ANN), byKey);
            for (State state : State.values()) {
                assertPlan(scan.withState(state), byState);
                assertPlan(scan.withState(state).withHolder(ANN), byState);
            }
            assertPlan(scan.withToken(token), byToken);
            assertPlan(scan.withToken(token).withState(State.HELD).withHolder(ANN), byToken);
        }
    }

    @Test
    void whereAScanBeginsIsFoundByAnIndex() throws SQLException {
        try (Sql sql = new Sql(folder.resolve("leases.db"))) {
            assertThat(sql.ask("EXPLAIN QUERY PLAN " + IdWalk.NEWEST, 4)).containsExactly("SEARCH entry");
        }
    }

    /** The index does not tell the holder, so that a page may look at many rows and find few. */
    @Test
    void aPageLooksAtABoundedNumberOfRowsAndTheNextGoesOn() {
        for (int batch = 0; batch < 15; batch++) {
            int from = batch * 400;
            store.apply(Stream.iterate(from, i -> i + 1)
                    .limit(400)
                    .map(i -> Change.insert(Entries.held("key-" + i)))
                    .toList());
        }
        Scan nobody = Scan.of("", 10).withHolder(Holder.of("nobody"));

        for (Scan scan : List.of(nobody, nobody.withState(State.HELD))) {
            Page first = store.scan(scan);
            assertThat(first.entries()).isEmpty();
            Page second = store.scan(scan.after(first.next().orElseThrow()));
            assertThat(second.entries()).isEmpty();
            assertThat(second.next()).isEmpty();
        }
    }

    @Test
    void aKeyThatIsRemovedAndComesAgainIsNotMetTwice() {
        List<Entry> entries = Stream.of("a", "b", "c").map(Entries::held).toList();
        store.apply(entries.stream().map(Change::insert).toList());
        Scan scan = Scan.of("", 1).withState(State.HELD);
        Page first = store.scan(scan);
        assertThat(first.entries()).extracting(Stored::entry).containsExactly(entries.get(0));

        // The newest goes as well: its id must not be given again.
        store.apply(List.of(remove(entries.get(0)), remove(entries.get(2))));
        Entry again = above(entries.get(0));
        assertThat(store.apply(List.of(Change.insert(again)))).containsExactly(Outcome.APPLIED);

        Page second = store.scan(scan.after(first.next().orElseThrow()));
        assertThat(second.entries()).extracting(Stored::entry).containsExactly(entries.get(1));
        assertThat(second.next()).isEmpty();
    }

    private static Change remove(Entry entry) {
        return Change.remove(entry.key(), entry.version());
    }

    /** With a fence that is above that of an entry that was removed. */
    private static Entry above(Entry entry) {
        return new Entry(
                entry.key(),
                Entries.version(),
                State.HELD,
                Fence.of(entry.fence().value() + 1),
                1,
                entry.grant(),
                entry.attributes(),
                entry.createdAt(),
                null);
    }

    @Test
    void aCursorOfAnotherKindOfScanIsRefused() {
        store.apply(Stream.of("a", "b", "c")
                .map(name -> Change.insert(Entries.held(name)))
                .toList());
        Scan all = Scan.of("", 1);
        String cursor = store.scan(all).next().orElseThrow();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.scan(all.withState(State.HELD).after(cursor)))
                .withMessageStartingWith("cursor: ");
    }

    /** No scan of all, no sorting, no second table. */
    private void assertPlan(Scan scan, String... plan) throws SQLException {
        try (Sql sql = new Sql(folder.resolve("leases.db"))) {
            assertThat(sql.ask("EXPLAIN QUERY PLAN " + new ScanQuery(scan).sql(), 4))
                    .containsExactly(plan);
        }
    }
}
