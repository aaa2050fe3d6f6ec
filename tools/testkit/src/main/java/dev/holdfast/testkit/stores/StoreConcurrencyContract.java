package dev.holdfast.testkit.stores;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Key;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.Version;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.testkit.ThreadCrowd;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of a store with many threads at once. */
interface StoreConcurrencyContract extends StoreSteps {
    int THREADS = 32;
    int WINS_EACH = 4;

    @Test
    default void thirtyTwoThreadsThatCreateOneKeyHaveOneWinner() throws Exception {
        var outcomes = ThreadCrowd.of(THREADS, number -> apply(Change.insert(held("contended"))));

        assertThat(outcomes).filteredOn(WriteOutcome.APPLIED::equals).hasSize(1);
        var winner = Objects.requireNonNull(stored(Key.of("contended")));
        assertThat(outcomes)
                .filteredOn(outcome -> outcome instanceof WriteOutcome.Conflict)
                .allSatisfy(outcome -> assertConflict(outcome, winner));
    }

    @Test
    default void thirtyTwoThreadsOnOneKeyWriteOneUnbrokenChain() throws Exception {
        var first = put(held("contended"));

        var won = ThreadCrowd.of(THREADS, number -> win(first));

        Map<Version, Entry> next = new HashMap<>();
        for (Change change : won.stream().flatMap(List::stream).toList()) {
            assertThat(next.put(Objects.requireNonNull(change.expected()), Objects.requireNonNull(change.next())))
                    .as("one winner per version")
                    .isNull();
        }
        var last = first;
        for (Entry entry = next.get(first.version()); entry != null; entry = next.get(entry.version())) {
            last = entry;
        }
        assertThat(last.grants() - first.grants()).isEqualTo(THREADS * WINS_EACH);
        assertThat(stored(first.key())).isEqualTo(last);
    }

    /**
     * Adds one to the count until this thread has won {@code WINS_EACH} times; a conflict returns the entry to retry
     * with.
     */
    private List<Change> win(Entry seen) {
        List<Change> won = new ArrayList<>();
        var current = seen;
        while (won.size() < WINS_EACH) {
            var change = Change.replace(current.version(), counted(current));
            if (apply(change) instanceof WriteOutcome.Conflict conflict) {
                current = Objects.requireNonNull(conflict.stored()).entry();
            } else {
                won.add(change);
                current = Objects.requireNonNull(change.next());
            }
        }
        return won;
    }

    @Test
    default void thirtyTwoThreadsWithOverlappingBatchesLoseNoUpdate() throws Exception {
        var keys = IntStream.range(0, Math.min(12, store().traits().batchLimit()))
                .mapToObj(i -> Key.of("key-" + i))
                .toList();
        putAll(keys.stream().map(this::held).toList());

        List<Integer> applied = ThreadCrowd.of(THREADS, number -> applyAtRandom(keys, new Random(number)));

        long counted = store().read(keys).stream()
                .mapToLong(found -> found.orElseThrow().entry().grants() - 1)
                .sum();
        assertThat(counted)
                .isEqualTo(applied.stream().mapToInt(Integer::intValue).sum())
                .isPositive();
    }

    /** Writes random keys in random order, so that a store that locks rows can deadlock if it has that bug. */
    private int applyAtRandom(List<Key> keys, Random random) {
        int applied = 0;
        for (int round = 0; round < 10; round++) {
            List<Key> some = new ArrayList<>(keys);
            Collections.shuffle(some, random);
            some = some.subList(0, 1 + random.nextInt(some.size()));
            List<Change> batch = store().read(some).stream()
                    .map(found -> found.orElseThrow().entry())
                    .map(entry -> Change.replace(entry.version(), counted(entry)))
                    .toList();
            applied += (int) store().apply(batch).stream()
                    .filter(WriteOutcome.APPLIED::equals)
                    .count();
        }
        return applied;
    }

    @Test
    default void scansReturnEachStableEntryOnceDuringWrites() throws Exception {
        var staying = IntStream.range(0, 40)
                .mapToObj(i -> held(key("stays", "key-" + i)))
                .toList();
        putAll(staying);
        var over = new AtomicBoolean();

        ThreadCrowd.of(3, number -> number == 0 ? scanMany(staying, over) : write(number, over));
    }

    private boolean scanMany(List<Entry> staying, AtomicBoolean over) {
        try {
            var expected = staying.stream().map(Entry::key).toList();
            for (int round = 0; round < 10; round++) {
                var seen = scanAll(EntryScan.of("", 6)).stream().map(Entry::key).toList();
                assertThat(seen).doesNotHaveDuplicates().containsAll(expected);
            }
            return true;
        } finally {
            over.set(true);
        }
    }

    /** Renews stable keys; one thread also creates and removes keys, the other only creates some. */
    private boolean write(int number, AtomicBoolean over) {
        for (int i = 0; !over.get(); i++) {
            var key = key("stays", "key-" + i % 40);
            var entry = read(key).orElseThrow().entry();
            store().apply(List.of(Change.replace(entry.version(), renewed(entry))));
            if (number == 1) {
                var brief = put(withFence(held(key("brief", "brief-" + i)), 2000 + i));
                remove(brief);
            } else if (i < 100) {
                put(withFence(held(key("comes", "comes-" + i)), Long.MAX_VALUE));
            }
        }
        return true;
    }
}
