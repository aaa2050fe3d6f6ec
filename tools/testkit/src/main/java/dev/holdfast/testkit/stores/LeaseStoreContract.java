package dev.holdfast.testkit.stores;

import dev.holdfast.store.LeaseStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Tests of every promise of {@link dev.holdfast.store.LeaseStore}. A store is tested by one small subclass:
 *
 * <pre>{@code
 * class MyStoreTest extends LeaseStoreContract {
 *     private final ManualClock clock = new ManualClock();
 *
 *     @Override
 *     public LeaseStore openStore() {
 *         return new MyStore(clock);
 *     }
 *
 *     @Override
 *     public void elapse(Duration time) {
 *         clock.advance(time);
 *     }
 * }
 * }</pre>
 *
 * <p>{@code openStore} returns a new store without entries. {@code elapse} lets at least {@code time} pass by the
 * store's clock. {@code hasClock} is true unless overridden, {@code keepsFenceFloor} false. If the store is a {@link
 * dev.holdfast.store.ChangeNotifier}, that is tested too. For a store that keeps its entries when the process ends,
 * extend {@link DurableLeaseStoreContract} instead.
 *
 * <p>JUnit creates a new instance for each test, so fields are fresh. Tests use up to 32 threads.
 */
public abstract class LeaseStoreContract
        implements StoreWriteContract,
                StoreBeatContract,
                StoreFieldContract,
                StoreScanContract,
                StoreConcurrencyContract,
                StoreNotificationContract {
    @SuppressWarnings("NullAway.Init") // opened before each test
    private LeaseStore store;

    /** For subclasses. */
    protected LeaseStoreContract() {}

    @Override
    public final LeaseStore store() {
        return store;
    }

    @BeforeEach
    final void openFreshStore() {
        store = openStore();
    }

    @AfterEach
    final void closeStore() {
        store.close();
    }

    /** Goes on with another store, which the test closes. */
    final void continueWith(LeaseStore next) {
        store = next;
    }
}
