package dev.holdfast.testkit.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreFeature;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of scans: filters, and pages that stay correct during concurrent writes. */
interface StoreScanContract extends StoreSteps {
    @Test
    default void aScanOfAnEmptyStoreReturnsNothing() {
        assertThat(scanAll(EntryScan.of("", 10))).isEmpty();
    }

    @Test
    default void aPrefixIsTakenLiterally() {
        needs(StoreFeature.NAMESPACES);
        List<String> namespaces = List.of(
                "",
                "a",
                "ab",
                "a%",
                "a%b",
                "a_",
                "a_b",
                "a\\",
                "a\\b",
                "A",
                "b",
                "a\uffff",
                "a\uD83D\uDE80",
                "a\uD83D\uDE80b",
                "a\uD83D\uDE81",
                "a*",
                "a[b]",
                "a'");
        var entries = namespaces.stream().map(ns -> held(Key.of(ns, "x"))).toList();
        putAll(entries);

        for (String prefix : namespaces) {
            assertThat(scanAll(EntryScan.of(prefix, 100)))
                    .as("prefix '%s'", prefix)
                    .containsExactlyInAnyOrderElementsOf(entries.stream()
                            .filter(entry -> entry.key().namespace().startsWith(prefix))
                            .toList());
        }
    }

    @Test
    default void aPrefixMatchesTheNamespaceAndNotTheName() {
        needs(StoreFeature.NAMESPACES);
        put(held(Key.of("", "abc")));
        var inside = put(held(Key.of("abc", "x")));

        assertThat(scanAll(EntryScan.of("ab", 10))).containsExactly(inside);
    }

    @Test
    default void aPrefixOfNamesMatchesTheNamesOfOneNamespace() {
        List<String> names =
                List.of("a", "ab", "a%", "a/b", "a_", "A", "b", "a\uffff", "a\uD83D\uDE80", "a\uD83D\uDE80b");
        List<String> namespaces = has(StoreFeature.NAMESPACES) ? List.of("", "a", "ab") : List.of("");
        var entries = namespaces.stream()
                .flatMap(namespace -> names.stream().map(name -> held(Key.of(namespace, name))))
                .toList();
        putAll(entries);

        for (String namespace : namespaces) {
            for (String prefix : List.of("", "a", "ab", "a%", "a/", "a\uD83D\uDE80", "b", "c")) {
                var expected = entries.stream()
                        .filter(entry -> entry.key().namespace().equals(namespace)
                                && entry.key().name().startsWith(prefix))
                        .toList();
                for (int limit : List.of(2, 100)) {
                    var scan = EntryScan.ofNames(namespace, prefix, limit);
                    assertThat(scanAll(scan))
                            .as("namespace '%s', names '%s'", namespace, prefix)
                            .containsExactlyInAnyOrderElementsOf(expected);
                    assertThat(scanAll(scan.withState(LeaseState.HELD))).containsExactlyInAnyOrderElementsOf(expected);
                    assertThat(scanAll(scan.withState(LeaseState.FREE))).isEmpty();
                }
            }
        }
        var bs = entries.get(names.indexOf("b"));
        var token = Objects.requireNonNull(bs.grant()).token();
        assertThat(scanAll(EntryScan.ofNames("", "b", 10).withToken(token))).containsExactly(bs);
        assertThat(scanAll(EntryScan.ofNames("", "a", 10).withToken(token))).isEmpty();
    }

    @Test
    default void scansFilterByStateHolderAndToken() {
        var anns = grant("ann");
        var bobs = grant("bob");
        var held = put(held(key("n", "1"), anns));
        var free = put(held(key("n", "2"), anns).freed(version()));
        var bob = held(key("n", "3"), bobs);
        var bobs3 = put(has(StoreFeature.DONE) ? bob.done(version(), TIME, held.attributes()) : bob);
        var empty = put(Entry.empty(key("n", "4"), version(), held.fence(), TIME));
        if (has(StoreFeature.NAMESPACES)) {
            put(held(Key.of("other", "5"), grant("ann")));
        }
        var all = EntryScan.of(has(StoreFeature.NAMESPACES) ? "n" : "", 10);

        assertThat(scanAll(all)).containsExactlyInAnyOrder(held, free, bobs3, empty);
        var stillHeld = has(StoreFeature.DONE) ? List.of(held) : List.of(held, bobs3);
        assertThat(scanAll(all.withState(LeaseState.HELD))).containsExactlyInAnyOrderElementsOf(stillHeld);
        assertThat(scanAll(all.withState(LeaseState.FREE))).containsExactlyInAnyOrder(free, empty);
        assertThat(scanAll(all.withState(LeaseState.DONE))).containsExactlyElementsOf(ifDone(bobs3));
        assertThat(scanAll(all.withHolder(Holder.of("ann")))).containsExactlyInAnyOrder(held, free);
        assertThat(scanAll(all.withHolder(Holder.of("ANN")))).isEmpty();
        assertThat(scanAll(all.withToken(bobs.token()))).containsExactly(bobs3);
        assertThat(scanAll(all.withToken(token()))).isEmpty();
        assertThat(scanAll(all.withHolder(Holder.of("ann"))
                        .withState(LeaseState.FREE)
                        .withToken(anns.token())))
                .containsExactly(free);
    }

    @Test
    default void aScanSeesTheLatestWrite() {
        var entry = put(held("a"));
        var freed = replace(entry, entry.freed(version()));

        assertThat(scanAll(EntryScan.of("", 10))).containsExactly(freed);
        assertThat(scanAll(EntryScan.of("", 10).withState(LeaseState.HELD))).isEmpty();
    }

    @Test
    default void pagesOfEverySizeHaveEachEntryOnce() {
        var entries = entries(23);
        putAll(entries);

        for (int limit : List.of(1, 2, 7, 22, 23, 24, 1000)) {
            assertThat(scanAll(EntryScan.of("", limit)))
                    .as("limit %s", limit)
                    .containsExactlyInAnyOrderElementsOf(entries);
        }
    }

    @Test
    default void filteredPagesHaveEachEntryOnce() {
        var entries = entries(30);
        putAll(entries);
        List<Entry> freed = new ArrayList<>();
        for (int i = 0; i < entries.size(); i += 3) {
            freed.add(replace(entries.get(i), entries.get(i).freed(version())));
        }

        assertThat(scanAll(EntryScan.of("", 4).withState(LeaseState.FREE))).containsExactlyInAnyOrderElementsOf(freed);
    }

    @Test
    default void theSameCursorGivesTheSamePage() {
        putAll(entries(20));
        var second = EntryScan.of("", 5)
                .after(store().scan(EntryScan.of("", 5)).next().orElseThrow());

        assertThat(keys(store().scan(second))).isEqualTo(keys(store().scan(second)));
    }

    @Test
    default void anUnknownCursorIsRefused() {
        putAll(entries(3));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> store().scan(EntryScan.of("", 5).after("no cursor")));
    }

    @Test
    default void aCursorStaysValidAfterItsEntryIsRemoved() {
        var entries = entries(20);
        putAll(entries);
        var first = store().scan(EntryScan.of("", 5));
        for (var seen : first.entries()) {
            remove(seen.entry());
        }

        var rest = scanAll(EntryScan.of("", 5).after(first.next().orElseThrow())).stream()
                .map(Entry::key)
                .toList();

        Set<Key> expected = new HashSet<>(entries.stream().map(Entry::key).toList());
        keys(first).forEach(expected::remove);
        assertThat(rest).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    default void stableEntriesAppearOnceWhileOthersAreAddedRemovedAndChanged() {
        var entries = entries(60);
        putAll(entries);
        Set<Key> staying =
                new HashSet<>(entries.subList(20, 60).stream().map(Entry::key).toList());
        List<Key> seen = new ArrayList<>();

        var scan = EntryScan.of("", 7);
        var page = store().scan(scan);
        for (int round = 0; ; round++) {
            seen.addAll(keys(page));
            if (page.next().isEmpty()) {
                break;
            }
            churn(entries, round);
            page = store().scan(scan.after(page.next().get()));
        }

        assertThat(seen).doesNotHaveDuplicates().containsAll(staying);
    }

    /**
     * Removes one of the first twenty, adds one before and one after all others, and renews one of the stable entries.
     */
    private void churn(List<Entry> entries, int round) {
        if (round < 20) {
            var doomed = entries.get(round);
            remove(doomed);
        }
        put(withFence(held(Key.of("!" + round)), 9000));
        put(withFence(held(key("zz", "new" + round)), 9000));
        int stays = 20 + round % 40;
        entries.set(stays, replace(entries.get(stays), renewed(entries.get(stays))));
    }

    static List<Key> keys(ScanPage page) {
        return page.entries().stream().map(it -> it.entry().key()).toList();
    }

    /** Entries in three namespaces, with names that sort differently by code point and by UTF-16. */
    private List<Entry> entries(int count) {
        List<String> starts = List.of("a", "\uffee", "\uD83D\uDE80");
        return new ArrayList<>(IntStream.range(0, count)
                .mapToObj(i -> held(key(i % 2 == 0 ? "" : starts.get(i % 3), starts.get(i / 2 % 3) + i)))
                .toList());
    }
}
