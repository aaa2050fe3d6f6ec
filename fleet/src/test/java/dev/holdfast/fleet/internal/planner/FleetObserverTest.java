package dev.holdfast.fleet.internal.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import dev.holdfast.fleet.internal.units.WorkerClient;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FleetObserverTest {
    private final ManualClock runtime = new ManualClock();
    private final Leases leases = Holdfast.open(
            new MemoryStore(runtime),
            LeasesOptions.builder().environment(runtime).withoutCleanUp().build());
    private final FleetKeyLayout layout = FleetKeyLayout.of("crew");
    private final FleetObserver fleetObserver =
            new FleetObserver(new WorkerClient(leases, layout, "ann", FleetOptions.defaults()));

    @AfterEach
    void close() {
        leases.close();
        runtime.close();
    }

    private void refresh() {
        CompletableFuture<Void> refreshing = fleetObserver.refresh().toCompletableFuture();
        runtime.advance(Duration.ZERO);
        refreshing.join();
    }

    /** Otherwise a planner with a slow listing would take the first workers for all workers. */
    @Test
    void theQuietTimeEndsAtTheLastRefresh() {
        leases.anchor("crew/ann", Duration.ofMinutes(1));
        refresh();
        runtime.advance(Duration.ofSeconds(5));
        assertThat(fleetObserver.quietNanos()).isZero();

        refresh();
        assertThat(fleetObserver.quietNanos()).isEqualTo(Duration.ofSeconds(5).toNanos());

        leases.anchor("crew/bob", Duration.ofMinutes(1));
        leases.tryAcquire(layout.workersMark(), AcquireOptions.defaults())
                .orThrow()
                .release();
        refresh();
        assertThat(fleetObserver.members()).hasSize(2);
        assertThat(fleetObserver.quietNanos()).isZero();
    }
}
