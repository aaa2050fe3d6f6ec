package dev.holdfast.testkit.stores;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Key;
import dev.holdfast.StoreFeature;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * The fixture of the groups of {@link LeaseStoreContract}: the store and its time, which a store author supplies, and
 * the steps that tests are made of.
 */
interface StoreSteps extends SampleEntries {
    /** Long enough to be distinguished from the duration of a call. */
    Duration PAUSE = Duration.ofSeconds(1);

    /** Bounded, so that a cursor that does not advance fails the test instead of hanging it. */
    int MOST_PAGES = 10_000;

    /** The largest difference between a sleep and the store's clock. */
    Duration TOLERANCE = Duration.ofMillis(20);

    /** The store of this test. */
    LeaseStore store();

    /** Opens a new store without entries. Called once per test; the test closes it. */
    LeaseStore openStore();

    /** Lets at least {@code time} pass by the store's clock: moves the clock, ages the entries, or sleeps. */
    void elapse(Duration time);

    /** Whether the store measures the age of beats itself. If not, it must never return one. */
    default boolean hasClock() {
        return true;
    }

    /** Whether the store remembers the highest fence among removed entries. */
    default boolean keepsFenceFloor() {
        return false;
    }

    default boolean has(StoreFeature feature) {
        return !store().traits().dialect().lacks(feature);
    }

    /** Skips the test, and reports that, if the store lacks one of these features. */
    default void needs(StoreFeature... features) {
        for (StoreFeature feature : features) {
            Assumptions.assumeTrue(
                    has(feature), () -> "layout " + store().traits().dialect().name() + " lacks " + feature);
        }
    }

    /** A key in a namespace, if the store has namespaces. */
    default Key key(String namespace, String name) {
        return has(StoreFeature.NAMESPACES) ? Key.of(namespace, name) : Key.of(name);
    }

    /** A list of {@code entry}, or an empty one if the store does not support done keys. */
    default List<Entry> ifDone(Entry entry) {
        return has(StoreFeature.DONE) ? List.of(entry) : List.of();
    }

    default WriteOutcome apply(Change change) {
        List<WriteOutcome> outcomes = store().apply(List.of(change));
        assertThat(outcomes).hasSize(1);
        return outcomes.get(0);
    }

    default Entry put(Entry entry) {
        assertApplied(apply(Change.insert(entry)));
        return entry;
    }

    default Entry replace(Entry before, Entry next) {
        assertApplied(apply(Change.replace(before.version(), next)));
        return next;
    }

    default void remove(Entry entry) {
        assertApplied(apply(Change.remove(entry.key(), entry.version())));
    }

    default void putAll(List<Entry> entries) {
        int limit = store().traits().batchLimit();
        for (int from = 0; from < entries.size(); from += limit) {
            List<Entry> some = entries.subList(from, Math.min(entries.size(), from + limit));
            assertThat(store().apply(some.stream().map(Change::insert).toList()))
                    .allMatch(WriteOutcome.APPLIED::equals);
        }
    }

    default Optional<StoredEntry> read(Key key) {
        List<Optional<StoredEntry>> found = store().read(List.of(key));
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    default @Nullable Entry stored(Key key) {
        return read(key).map(StoredEntry::entry).orElse(null);
    }

    /** The entries of all pages of a scan. Asserts that each page is within its limit and that the cursors end. */
    default List<Entry> scanAll(EntryScan first) {
        List<Entry> entries = new ArrayList<>();
        var page = store().scan(first);
        int pages = 0;
        while (true) {
            assertThat(page.entries()).hasSizeLessThanOrEqualTo(first.limit());
            page.entries().forEach(it -> entries.add(it.entry()));
            assertThat(++pages).as("pages of one scan").isLessThan(MOST_PAGES);
            if (page.next().isEmpty()) {
                return entries;
            }
            page = store().scan(first.after(page.next().get()));
        }
    }

    default void assertApplied(WriteOutcome outcome) {
        assertThat(outcome).isEqualTo(WriteOutcome.APPLIED);
    }

    /**
     * Asserts that nothing was written, because the store has {@code current} instead; null for no entry.
     *
     * @return the stored entry that the conflict reports
     */
    default @Nullable StoredEntry assertConflict(WriteOutcome outcome, @Nullable Entry current) {
        assertThat(outcome).isInstanceOf(WriteOutcome.Conflict.class);
        StoredEntry stored = ((WriteOutcome.Conflict) outcome).stored();
        assertThat(stored == null ? null : stored.entry()).isEqualTo(current);
        return stored;
    }

    /** Asserts that the beat's age is in this range; for a store without a clock, that it has no age. */
    default void assertAge(@Nullable StoredEntry stored, Duration atLeast, Duration lessThan) {
        Duration age = Objects.requireNonNull(stored).age();
        if (hasClock()) {
            assertThat(age).isGreaterThanOrEqualTo(atLeast.minus(TOLERANCE)).isLessThan(lessThan);
        } else {
            assertThat(age).isNull();
        }
    }
}
