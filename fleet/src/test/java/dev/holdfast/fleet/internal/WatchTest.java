package dev.holdfast.fleet.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.fleet.FleetListener;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.Strategy;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.UnitHandler;
import dev.holdfast.internal.memory.MemoryStore;
import dev.holdfast.testkit.ManualRuntime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchTest {
    private final ManualRuntime runtime = new ManualRuntime();
    private final Leases leases = Holdfast.open(
            new MemoryStore(runtime),
            LeasesOptions.builder().runtime(runtime).withoutCleanUp().build());
    private final Watch watch = new Watch(new Setup(
            leases,
            Names.of("crew"),
            "ann",
            100,
            FleetOptions.defaults(),
            new HandlerCalls(new Idle()),
            new WorkerScope(),
            FleetListener.NONE,
            Strategy.byCount()));

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

    private void look() {
        CompletableFuture<Void> looking = watch.look().toCompletableFuture();
        runtime.advance(Duration.ZERO);
        looking.join();
    }

    /** Else a planner whose listing takes long takes the first who come for all there are. */
    @Test
    void itIsOnlyAsQuietAsWasSeen() {
        leases.anchor("crew/ann", Duration.ofMinutes(1));
        look();
        runtime.advance(Duration.ofSeconds(5));
        assertThat(watch.quietNanos()).isZero();

        look();
        assertThat(watch.quietNanos()).isEqualTo(Duration.ofSeconds(5).toNanos());

        leases.anchor("crew/bob", Duration.ofMinutes(1));
        leases.tryAcquire(Names.of("crew").workersMark(), AcquireOptions.defaults())
                .orThrow()
                .release();
        look();
        assertThat(watch.members()).hasSize(2);
        assertThat(watch.quietNanos()).isZero();
    }
}
