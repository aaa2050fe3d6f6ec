package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.testkit.stores.SampleEntries;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultyStoreTest implements SampleEntries {
    private static final Key A = Key.of("a");

    private final ManualClock runtime = new ManualClock();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime));

    private boolean isStored(Key key) {
        return store.read(List.of(key)).get(0).isPresent();
    }

    private void insert(String name) {
        assertThat(store.apply(List.of(Change.insert(held(name))))).containsExactly(WriteOutcome.APPLIED);
    }

    private void assertFails(Effect effect, String name) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> insert(name))
                .satisfies(e -> assertThat(e.effect()).isEqualTo(effect))
                .satisfies(e -> assertThat(e.isRetryable()).isTrue());
    }

    @Test
    void withoutFaultsCallsReachTheWrappedStore() {
        insert("a");

        assertThat(isStored(A)).isTrue();
        assertThat(store).isInstanceOf(ChangeNotifier.class);
        assertThat(store.traits().lanes()).isZero();
    }

    @Test
    void theWrapperNotifiesOnlyIfTheWrappedStoreDoes() {
        assertThat(FaultyStore.around(new Mute(new MemoryStore(runtime)))).isNotInstanceOf(ChangeNotifier.class);
    }

    @Test
    void scriptedFaultsHappenInOrder() {
        store.next(StoreFault.FAIL, StoreFault.NONE).next(StoreFault.LOSE_REQUEST);

        assertFails(Effect.NOT_APPLIED, "a");
        assertThat(isStored(A)).isFalse();
        insert("a");
        assertFails(Effect.UNKNOWN, "b");
        assertThat(isStored(Key.of("b"))).isFalse();
        insert("b");
    }

    @Test
    void aChangeWithALostResponseWasApplied() {
        store.next(StoreFault.LOSE_ANSWER);

        assertFails(Effect.UNKNOWN, "a");

        assertThat(isStored(A)).isTrue();
    }

    @Test
    void lateRequestsAreAppliedByDeliverLate() {
        store.next(StoreFault.DELIVER_LATE, StoreFault.DELIVER_LATE);
        assertFails(Effect.UNKNOWN, "a");
        assertFails(Effect.UNKNOWN, "a");
        assertThat(isStored(A)).isFalse();

        List<WriteOutcome> outcomes = store.deliverLate();

        assertThat(outcomes).hasSize(2).first().isEqualTo(WriteOutcome.APPLIED);
        assertThat(outcomes.get(1)).isInstanceOf(WriteOutcome.Conflict.class);
        assertThat(isStored(A)).isTrue();
        assertThat(store.deliverLate()).isEmpty();
    }

    @Test
    void aRejectedKeyFailsItsWholeBatch() {
        store.reject(A);

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.apply(List.of(Change.insert(held("b")), Change.insert(held("a")))))
                .satisfies(e -> assertThat(e.isRetryable()).isFalse())
                .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NOT_APPLIED));
        assertThat(isStored(Key.of("b"))).isFalse();

        store.heal();
        insert("a");
    }

    @Test
    void aRejectedRequestIsNotRetryable() {
        store.next(StoreFault.REJECT).next(FaultyStore.Call.READ, StoreFault.REJECT);

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> insert("a"))
                .satisfies(e -> assertThat(e.isRetryable()).isFalse())
                .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NOT_APPLIED));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> isStored(A))
                .satisfies(e -> assertThat(e.isRetryable()).isFalse());
        assertThat(isStored(A)).isFalse();
    }

    @Test
    void readsAndScansFailIndependently() {
        store.next(FaultyStore.Call.READ, StoreFault.FAIL).always(FaultyStore.Call.SCAN, StoreFault.CRASH);

        insert("a");
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> isStored(A));
        assertThat(isStored(A)).isTrue();
        assertThatIllegalStateException().isThrownBy(() -> store.scan(EntryScan.of("", 10)));
    }

    @Test
    void theSameSeedGivesTheSameFailures() {
        List<Boolean> first = failures(7);

        assertThat(failures(7)).isEqualTo(first);
        assertThat(failures(8)).isNotEqualTo(first);
        assertThat(first).contains(true, false);
        assertThatIllegalArgumentException().isThrownBy(() -> store.randomly(1, 2, StoreFault.FAIL));
    }

    private List<Boolean> failures(long seed) {
        FaultyStore random = FaultyStore.around(new MemoryStore(runtime)).randomly(seed, 0.5, StoreFault.FAIL);
        return IntStream.range(0, 50)
                .mapToObj(i -> {
                    try {
                        random.apply(List.of(Change.insert(held("key-" + i))));
                        return false;
                    } catch (StoreException e) {
                        return true;
                    }
                })
                .toList();
    }

    @Test
    void callsAreCounted() {
        FaultyStore.Calls before = store.calls();
        store.next(StoreFault.NONE, StoreFault.FAIL);
        store.apply(List.of(Change.insert(held("a")), Change.insert(held("b"))));
        assertFails(Effect.NOT_APPLIED, "c");
        isStored(A);
        store.scan(EntryScan.of("", 10));

        assertThat(store.calls().since(before)).isEqualTo(new FaultyStore.Calls(2, 3, 1, 1));
    }

    @Test
    void heldCallsProceedWhenLetGo() throws Exception {
        store.hold();
        CompletableFuture<Void> call = CompletableFuture.runAsync(() -> insert("a"));
        Eventually.until(() -> store.waiting() == 1);
        assertThat(call).isNotDone();

        store.letGo();

        call.get(10, TimeUnit.SECONDS);
        assertThat(store.waiting()).isZero();
    }

    @Test
    void slowCallsWaitOnTheClockOfTheEnvironment() throws Exception {
        store.slowDown(runtime, Duration.ofSeconds(5));
        CompletableFuture<Void> call = CompletableFuture.runAsync(() -> insert("a"));
        Eventually.until(() -> store.waiting() == 1);

        runtime.advance(Duration.ofSeconds(4));
        assertThat(call).isNotDone();
        runtime.advance(Duration.ofSeconds(1));

        call.get(10, TimeUnit.SECONDS);
    }

    /** A store that hides the optional interfaces of the store inside. */
    private record Mute(LeaseStore store) implements LeaseStore {
        @Override
        public List<WriteOutcome> apply(List<Change> changes) {
            return store.apply(changes);
        }

        @Override
        public List<Optional<StoredEntry>> read(List<Key> keys) {
            return store.read(keys);
        }

        @Override
        public ScanPage scan(EntryScan entryScan) {
            return store.scan(entryScan);
        }

        @Override
        public StoreTraits traits() {
            return store.traits();
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
