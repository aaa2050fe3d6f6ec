package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallbackTest {
    private final FleetScene fleetScene = new FleetScene();
    private final List<String> events = new ArrayList<>();

    @AfterEach
    void close() {
        fleetScene.close();
    }

    private FleetListener listener() {
        return new FleetListener() {
            @Override
            public void onUnitFailed(String unit, Throwable cause) {
                events.add(unit + " failed: " + cause.getMessage());
            }

            @Override
            public void onOverdue(String unit, dev.holdfast.Fence fence) {
                events.add(unit + " is overdue");
            }
        };
    }

    /** A handler that starts at once, and stops when the test calls {@link #stopped}. */
    private static final class Stubborn implements UnitHandler {
        private final Map<String, CompletableFuture<Boolean>> stopping = new HashMap<>();
        private final List<String> calls = new ArrayList<>();

        @Override
        public CompletionStage<?> assigned(Unit unit) {
            calls.add("begin " + unit.name());
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public CompletionStage<?> revoked(Unit unit) {
            calls.add("stop " + unit.name());
            return stopping.computeIfAbsent(unit.name(), it -> new CompletableFuture<>());
        }

        void stopped(String unit) {
            Objects.requireNonNull(stopping.remove(unit)).complete(true);
        }
    }

    @Test
    void aFailedUnitIsReportedAndRetriedOnAnotherWorker() {
        fleetScene.create(4);
        fleetScene.join(
                "ann",
                it -> it.listener(listener()).onAssigned(unit -> {
                    if (unit.name().equals("u0")) {
                        throw new IllegalStateException("not here");
                    }
                }));
        fleetScene.advance(Duration.ofSeconds(5));
        assertThat(events).contains("u0 failed: not here");

        fleetScene.join("bob");
        fleetScene.settle();

        assertThat(fleetScene.held("bob")).contains("u0");
        assertThat(fleetScene.allHeld()).hasSize(4);
    }

    @Test
    void aUnitThatFailsEverywhereIsRetriedLessAndLessOften() {
        fleetScene.create(1);
        List<Long> tries = new ArrayList<>();
        fleetScene.join(
                "ann",
                it -> it.onAssigned(unit -> {
                    tries.add(fleetScene.runtime.nanos() / 1_000_000_000L);
                    throw new IllegalStateException("never");
                }));

        fleetScene.advance(Duration.ofMinutes(10));

        assertThat(tries).hasSizeBetween(5, 40);
        long first = tries.get(1) - tries.get(0);
        long last = tries.get(tries.size() - 1) - tries.get(tries.size() - 2);
        assertThat(last).isGreaterThan(2 * first);
    }

    @Test
    void aUnitThatIsReleasedAsFailedIsRetriedOnAnotherWorker() {
        fleetScene.create(2);
        fleetScene.join("ann", it -> it.listener(listener()));
        fleetScene.join("bob");
        fleetScene.settle();
        Unit unit = fleetScene.fleet("ann").held().get(0);

        unit.fail(new IllegalStateException("broken pipe"));
        fleetScene.advance(Duration.ofSeconds(5));

        assertThat(events).containsExactly(unit.name() + " failed: broken pipe");
        assertThat(fleetScene.held("bob")).contains(unit.name());
        assertThat(fleetScene.events).noneMatch(line -> line.startsWith("ann stops"));
    }

    @Test
    void anErrorWhileStoppingIsReportedAndTheUnitIsStillHandedOver() {
        fleetScene.create(4);
        fleetScene.join(
                "ann",
                it -> it.listener(listener()).onRevoked(unit -> {
                    throw new IllegalStateException("would not stop");
                }));
        fleetScene.advance(Duration.ofSeconds(5));

        fleetScene.join("bob");
        fleetScene.settle();

        assertThat(events).hasSize(2).allMatch(line -> line.endsWith("would not stop"));
        assertThat(fleetScene.held("bob")).hasSize(2);
    }

    @Test
    void theNextWorkerStartsOnlyWhenThePreviousOneHasStopped() {
        fleetScene.create(2);
        Stubborn stubborn = new Stubborn();
        fleetScene.joinBare("ann", it -> it.handler(stubborn).options(options(Duration.ofHours(1))));
        fleetScene.advance(Duration.ofSeconds(5));
        fleetScene.join("bob");
        fleetScene.settle();
        assertThat(stubborn.stopping).hasSize(1);
        assertThat(fleetScene.held("bob")).isEmpty();
        assertThat(fleetScene.held("ann")).hasSize(2);

        stubborn.stopped(stubborn.stopping.keySet().iterator().next());
        fleetScene.advance(Duration.ofSeconds(2));

        assertThat(fleetScene.held("bob")).hasSize(1);
        assertThat(fleetScene.held("ann")).hasSize(1);
    }

    private static FleetOptions options(Duration revokeDeadline) {
        return FleetOptions.defaults().term(FleetScene.TERM).revokeDeadline(revokeDeadline);
    }

    @Test
    void aHandlerThatDoesNotStopLosesTheUnitAtItsDeadlineAndIsNotCalledAgainBeforeItReturns() {
        fleetScene.create(2);
        Stubborn stubborn = new Stubborn();
        fleetScene.joinBare(
                "ann", it -> it.handler(stubborn).listener(listener()).options(options(Duration.ofSeconds(3))));
        fleetScene.advance(Duration.ofSeconds(5));
        fleetScene.join("bob");
        fleetScene.settle();
        String moved = stubborn.stopping.keySet().iterator().next();
        assertThat(events).containsExactly(moved + " is overdue");
        assertThat(fleetScene.held("bob")).containsExactly(moved);

        fleetScene.leave("bob");
        fleetScene.settle();
        assertThat(stubborn.calls).hasSize(3);
        assertThat(fleetScene.held("ann")).hasSize(1);

        stubborn.stopped(moved);
        fleetScene.settle();
        assertThat(stubborn.calls).hasSize(4).last().isEqualTo("begin " + moved);
    }

    @Test
    void aListenerThatThrowsStopsNothing() {
        fleetScene.create(2);
        fleetScene.join(
                "ann",
                it -> it.listener(new FleetListener() {
                    @Override
                    public void onAssigned(String unit, dev.holdfast.Fence fence) {
                        throw new IllegalStateException("no ear");
                    }

                    @Override
                    public void onPlanned(int placed, int moved, int unplaced) {
                        throw new IllegalStateException("no ear");
                    }
                }));

        fleetScene.advance(Duration.ofSeconds(5));
        fleetScene.units().create("later");
        fleetScene.advance(Duration.ofSeconds(5));

        assertThat(fleetScene.held("ann")).containsExactly("later", "u0", "u1");
    }
}
