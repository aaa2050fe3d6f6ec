package dev.holdfast.fleet.internal.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.FleetListener;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.UnitHandler;
import dev.holdfast.fleet.internal.callback.HandlerCalls;
import dev.holdfast.fleet.internal.callback.WorkerThreads;
import dev.holdfast.fleet.internal.units.FleetNames;
import dev.holdfast.fleet.internal.worker.WorkerSetup;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FleetWatchTest {
    private final ManualClock runtime = new ManualClock();
    private final Leases leases = Holdfast.open(
            new MemoryStore(runtime),
            LeasesOptions.builder().environment(runtime).withoutCleanUp().build());
    private final FleetWatch fleetWatch = new FleetWatch(new WorkerSetup(
            leases,
            FleetNames.of("crew"),
            "ann",
            100,
            FleetOptions.defaults(),
            new HandlerCalls(new Idle()),
            new WorkerThreads(),
            FleetListener.NONE,
            AssignmentStrategy.byCount()));

    private static final class Idle implements UnitHandler {
        @Override
        public CompletionStage<?> assigned(Unit unit) {
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public CompletionStage<?> revoked(Unit unit) {
            return CompletableFuture.completedFuture(true);
        }
    }

    @AfterEach
    void close() {
        leases.close();
        runtime.close();
    }

    private void refresh() {
        CompletableFuture<Void> refreshing = fleetWatch.refresh().toCompletableFuture();
        runtime.advance(Duration.ZERO);
        refreshing.join();
    }

    /** Otherwise a planner with a slow listing would take the first workers for all workers. */
    @Test
    void theQuietTimeEndsAtTheLastRefresh() {
        leases.anchor("crew/ann", Duration.ofMinutes(1));
        refresh();
        runtime.advance(Duration.ofSeconds(5));
        assertThat(fleetWatch.quietNanos()).isZero();

        refresh();
        assertThat(fleetWatch.quietNanos()).isEqualTo(Duration.ofSeconds(5).toNanos());

        leases.anchor("crew/bob", Duration.ofMinutes(1));
        leases.tryAcquire(FleetNames.of("crew").workersMark(), AcquireOptions.defaults())
                .orThrow()
                .release();
        refresh();
        assertThat(fleetWatch.members()).hasSize(2);
        assertThat(fleetWatch.quietNanos()).isZero();
    }
}
