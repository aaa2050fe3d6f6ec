package dev.holdfast.postgres;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Version;
import dev.holdfast.store.WriteOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many writers of the same rows, in every order. */
@Tag("slow")
class ContentionTest {
    private static final int WRITERS = 8;
    private static final int KEYS = 40;
    private static final int ROWS = 16;
    private static final int ROUNDS = 60;

    private final Server server = Server.shared();
    private final String schema = Server.freshSchema();

    @Test
    void writersOfOverlappingBatchesBreakNoChainAndDoNotDeadlock() throws Exception {
        String deadlocks = deadlocks();
        try (PostgresStore store = PostgresStore.open(server.url(schema, "pool=8", "timeout=30s"))) {
            List<Change> applied = atOnce(WRITERS, number -> write(store, new Random(number)));

            assertUnbroken(store, applied);
            assertThat(applied.stream().filter(change -> change.expected() == null))
                    .isNotEmpty();
            assertThat(applied.stream().filter(change -> change.next() == null)).isNotEmpty();
            assertThat(applied.size()).isGreaterThan(WRITERS * ROUNDS);
        }
        assertThat(deadlocks()).isEqualTo(deadlocks);
    }

    /** Inserts absent entries, and replaces or removes existing ones, by the state of the last read. */
    private static List<Change> write(PostgresStore store, Random random) {
        List<Change> applied = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            List<Key> keys = new ArrayList<>(IntStream.range(0, KEYS)
                    .mapToObj(i -> Key.of("contended", "key-" + i))
                    .toList());
            Collections.shuffle(keys, random);
            List<Change> batch = new ArrayList<>();
            store.read(keys.subList(0, ROWS)).forEach(found -> {
                Key key = keys.get(batch.size());
                batch.add(found.map(stored -> random.nextInt(8) == 0
                                ? Change.remove(key, stored.entry().version())
                                : Change.replace(stored.entry().version(), Entries.renewed(stored.entry())))
                        .orElseGet(() -> Change.insert(Entries.held(key, System.nanoTime()))));
            });
            List<WriteOutcome> outcomes;
            try {
                outcomes = store.apply(batch);
            } catch (StoreException e) {
                // Fences are as new as the floor here, which never happens in practice.
                assertThat(e).hasMessageContaining("the fence floor rose");
                continue;
            }
            for (int i = 0; i < ROWS; i++) {
                if (outcomes.get(i).equals(WriteOutcome.APPLIED)) {
                    applied.add(batch.get(i));
                }
            }
        }
        return applied;
    }

    /** Asserts that each version has at most one successor, and that the stored entry is the last of its chain. */
    private static void assertUnbroken(PostgresStore store, List<Change> applied) {
        Map<Version, Change> after = new HashMap<>();
        Map<Key, Integer> alive = new HashMap<>();
        for (Change change : applied) {
            if (change.expected() == null) {
                alive.merge(change.key(), 1, Integer::sum);
            } else {
                assertThat(after.put(change.expected(), change))
                        .as("one winner per version")
                        .isNull();
                alive.merge(change.key(), change.next() == null ? -1 : 0, Integer::sum);
            }
        }
        alive.forEach((key, count) -> {
            Entry stored = store.read(List.of(key)).get(0).map(it -> it.entry()).orElse(null);
            assertThat(stored == null ? 0 : 1)
                    .as("%s, inserts less removals", key)
                    .isEqualTo(count);
            assertThat(stored == null ? null : after.get(stored.version())).isNull();
        });
    }

    @Test
    void anInsertThatWaitedForARemovalUsesTheNewFloor() throws Exception {
        try (PostgresStore store = PostgresStore.open(server.url(schema, "timeout=30s"))) {
            store.apply(List.of(Change.insert(Entries.held(Key.of("k"), 2000))));
            List<Change> inserts = List.of(
                    Change.insert(Entries.held(Key.of("k"), 2000)), Change.insert(Entries.held(Key.of("j"), 2001)));

            List<WriteOutcome> outcomes = applyDuringRemoval(store, inserts).get(10, TimeUnit.SECONDS);

            assertThat(outcomes).containsExactly(new WriteOutcome.Conflict(null, Fence.of(2000)), WriteOutcome.APPLIED);
            assertThat(store.read(List.of(Key.of("k"))).get(0)).isEmpty();
        }
    }

    /** A batch with removals has no shorter form that fails first. */
    @Test
    void aBatchWithAnInsertThatWaitedForARemovalIsSentAgain() throws Exception {
        try (PostgresStore store = PostgresStore.open(server.url(schema, "timeout=30s"))) {
            store.apply(List.of(Change.insert(Entries.held(Key.of("k"), 2000))));
            Change insert = Change.insert(Entries.held(Key.of("k"), 2000));
            List<Change> batch = List.of(insert, Change.remove(Key.of("missing"), Entries.version()));

            assertThatThrownBy(() -> applyDuringRemoval(store, batch).get(10, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(StoreException.class, e -> {
                        assertThat(e.effect()).isEqualTo(Effect.NOT_APPLIED);
                        assertThat(e.isRetryable()).isTrue();
                    });
            assertThat(store.apply(batch).get(0)).isEqualTo(new WriteOutcome.Conflict(null, Fence.of(2000)));
            assertThat(store.read(List.of(Key.of("k"))).get(0)).isEmpty();
        }
    }

    /** Applies changes, which wait for another transaction. It removes all entries and raises the floor to 2000. */
    private Future<List<WriteOutcome>> applyDuringRemoval(PostgresStore store, List<Change> changes) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (Connection remover = server.connect();
                Statement statement = remover.createStatement()) {
            remover.setAutoCommit(false);
            statement.execute("DELETE FROM " + schema + ".entry");
            statement.execute("UPDATE " + schema + ".meta SET fence_floor = 2000");
            Future<List<WriteOutcome>> waiting = thread.submit(() -> store.apply(changes));
            Eventually.holds(() ->
                    !server.query("SELECT 1 FROM pg_locks WHERE NOT granted").isEmpty());
            remover.commit();
            return waiting;
        } finally {
            thread.shutdown();
        }
    }

    @Test
    void aChangeThatIsSentAgainBelowARaisedFloorIsNotTakenBack() throws SQLException {
        try (PostgresStore store = PostgresStore.open(server.url(schema, "timeout=30s"))) {
            Change insert = Change.insert(Entries.held(Key.of("k"), 1500));
            Entry other = Entries.held(Key.of("other"), 2000);
            store.apply(List.of(insert, Change.insert(other)));
            store.apply(List.of(Change.remove(other.key(), other.version())));

            List<WriteOutcome> again = store.apply(List.of(insert));

            assertThat(again.get(0)).isInstanceOf(WriteOutcome.Conflict.class);
            assertThat(requireNonNull(((WriteOutcome.Conflict) again.get(0)).stored())
                            .entry())
                    .isEqualTo(insert.next());
            assertThat(store.read(List.of(insert.key())).get(0)).isPresent();
        }
    }

    private String deadlocks() throws SQLException {
        return server.value("SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'");
    }

    private interface Writer {
        List<Change> write(int number);
    }

    private static List<Change> atOnce(int writers, Writer writer) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            List<Future<List<Change>>> results = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                int number = i;
                results.add(threads.submit(() -> writer.write(number)));
            }
            List<Change> all = new ArrayList<>();
            for (Future<List<Change>> result : results) {
                all.addAll(result.get(60, TimeUnit.SECONDS));
            }
            return all;
        } finally {
            threads.shutdownNow();
        }
    }
}
