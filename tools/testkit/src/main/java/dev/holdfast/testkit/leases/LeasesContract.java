package dev.holdfast.testkit.leases;

import dev.holdfast.Leases;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/**
 * Tests of every promise of {@link dev.holdfast.Leases}. An implementation, on a store or remote, is tested by one
 * small subclass:
 *
 * <pre>{@code
 * class MyLeasesTest extends LeasesContract {
 *     private final ManualClock clock = new ManualClock();
 *     private final MyStore store = new MyStore(clock);
 *
 *     @Override
 *     public Leases open(String holder) {
 *         return Holdfast.open(store, options(holder).build());
 *     }
 *
 *     @Override
 *     public Leases openWithoutThreads(String holder) {
 *         return Holdfast.open(store, options(holder).withoutThreads().build());
 *     }
 *
 *     private LeasesOptions.Builder options(String holder) {
 *         return LeasesOptions.builder().holder(holder).environment(clock);
 *     }
 *
 *     @Override
 *     public void elapse(Duration time) {
 *         clock.advance(time);
 *     }
 * }
 * }</pre>
 *
 * <p>All clients of one test share one new store. Tests use blocking forms only where these do not wait for time to
 * pass, so they run on manual time as well as on real time. On real time {@code elapse} is not overridden, and {@code
 * term} is a second or two. Tests then take some terms each, and may run in parallel. {@code step} and {@code dialect}
 * come from the store's traits.
 */
public abstract class LeasesContract
        implements LeasesGrantContract,
                LeasesTokenContract,
                LeasesEndContract,
                LeasesHistoryContract,
                LeasesWaitContract,
                LeasesValidityContract,
                LeasesAnchorContract,
                LeasesOrphanContract,
                LeasesListContract,
                LeasesExplainContract,
                LeasesCloseContract,
                LeasesAsyncContract,
                LeasesFeatureContract,
                LeasesImportContract,
                LeasesArgumentContract {
    private final Map<String, Leases> clients = new LinkedHashMap<>();

    /** For subclasses. */
    protected LeasesContract() {}

    @Override
    public final Map<String, Leases> clients() {
        return clients;
    }

    @AfterEach
    final void closeClients() {
        clients.values().forEach(Leases::close);
    }
}
