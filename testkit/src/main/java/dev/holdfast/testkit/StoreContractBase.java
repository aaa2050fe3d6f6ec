package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.model.Power;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;

/** What the tests of a store share: the store, and short words for its calls. */
abstract class StoreContractBase {
    /** Long enough to be told from the time that calls take. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    /** A cursor that does not move on shall fail a test, not hang it. */
    private static final int MOST_PAGES = 10_000;

    /** By how much sleeping and the store's clock may differ. */
    private static final Duration TOLERANCE = Duration.ofMillis(20);

    @SuppressWarnings("NullAway.Init") // opened before each test
    LeaseStore store;

    /** Opens a fresh store without any entries. Called once per test; the test closes it. */
    protected abstract LeaseStore openStore();

    /** Lets at least this much time pass by the store's clock: moves it, ages what is stored, or sleeps. */
    protected abstract void elapse(Duration time);

    /** Whether the store measures the age of beats itself. If not, it must never tell one. */
    protected boolean hasClock() {
        return true;
    }

    /** Whether the store remembers the highest fence that it removed. */
    protected boolean keepsFenceFloor() {
        return false;
    }

    final boolean has(Power power) {
        return !store.traits().dialect().lacks(power);
    }

    /** Leaves the test out, and reports that, where one of these is lacking. */
    final void needs(Power... powers) {
        for (Power power : powers) {
            Assumptions.assumeTrue(
                    has(power), () -> "layout " + store.traits().dialect().name() + " lacks " + power);
        }
    }

    /** A key in a namespace, where there are any. */
    final Key key(String namespace, String name) {
        return has(Power.NAMESPACES) ? Key.of(namespace, name) : Key.of(name);
    }

    /** The entry, if a key can be done; to be put into a list. */
    final List<Entry> ifDone(Entry entry) {
        return has(Power.DONE) ? List.of(entry) : List.of();
    }

    @BeforeEach
    final void openFreshStore() {
        store = openStore();
    }

    @AfterEach
    final void closeStore() {
        store.close();
    }

    final Outcome apply(Change change) {
        List<Outcome> outcomes = store.apply(List.of(change));
        assertThat(outcomes).hasSize(1);
        return outcomes.get(0);
    }

    final Entry put(Entry entry) {
        assertApplied(apply(Change.insert(entry)));
        return entry;
    }

    final Entry replace(Entry before, Entry next) {
        assertApplied(apply(Change.replace(before.version(), next)));
        return next;
    }

    final void putAll(List<Entry> entries) {
        int limit = store.traits().batchLimit();
        for (int from = 0; from < entries.size(); from += limit) {
            List<Entry> some = entries.subList(from, Math.min(entries.size(), from + limit));
            assertThat(store.apply(some.stream().map(Change::insert).toList())).allMatch(Outcome.APPLIED::equals);
        }
    }

    final Optional<Stored> read(Key key) {
        List<Optional<Stored>> found = store.read(List.of(key));
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    final @Nullable Entry stored(Key key) {
        return read(key).map(Stored::entry).orElse(null);
    }

    /** All pages of a scan, each within its limit, by cursors that come to an end. */
    final List<Entry> scanAll(Scan first) {
        List<Entry> entries = new ArrayList<>();
        Page page = store.scan(first);
        int pages = 0;
        while (true) {
            assertThat(page.entries()).hasSizeLessThanOrEqualTo(first.limit());
            page.entries().forEach(it -> entries.add(it.entry()));
            assertThat(++pages).as("pages of one scan").isLessThan(MOST_PAGES);
            if (page.next().isEmpty()) {
                return entries;
            }
            page = store.scan(first.after(page.next().get()));
        }
    }

    static void assertApplied(Outcome outcome) {
        assertThat(outcome).isEqualTo(Outcome.APPLIED);
    }

    /** That nothing was written, and what is there instead; null for nothing. Returns it. */
    static @Nullable Stored assertConflict(Outcome outcome, @Nullable Entry current) {
        assertThat(outcome).isInstanceOf(Outcome.Conflict.class);
        Stored stored = ((Outcome.Conflict) outcome).stored();
        assertThat(stored == null ? null : stored.entry()).isEqualTo(current);
        return stored;
    }

    /** That the beat is at least this old, and less than that; of a store without a clock: that it does not say. */
    final void assertAge(@Nullable Stored stored, Duration atLeast, Duration lessThan) {
        Duration age = Objects.requireNonNull(stored).age();
        if (hasClock()) {
            assertThat(age).isGreaterThanOrEqualTo(atLeast.minus(TOLERANCE)).isLessThan(lessThan);
        } else {
            assertThat(age).isNull();
        }
    }
}
