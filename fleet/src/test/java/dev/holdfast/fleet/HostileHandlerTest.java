package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fence;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** User code that throws errors, returns null, or never gets a thread. The worker and the fleet continue. */
class HostileHandlerTest {
    private final FleetScene fleetScene = new FleetScene();
    private final List<String> events = new ArrayList<>();

    @AfterEach
    void close() {
        fleetScene.close();
    }

    /** A handler that succeeds, unless a test overrides it. */
    private static class Mild implements UnitHandler {
        @Override
        public CompletionStage<?> assigned(Unit unit) {
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public CompletionStage<?> revoked(Unit unit) {
            return CompletableFuture.completedFuture(true);
        }
    }

    /** An executor that runs tasks only when the test requests it. */
    private static final class LateExecutor implements java.util.concurrent.Executor {
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private boolean late;

        @Override
        public void execute(Runnable task) {
            if (late) {
                tasks.add(task);
            } else {
                task.run();
            }
        }

        void runOne() {
            Objects.requireNonNull(tasks.poll()).run();
        }

        void runAll() {
            while (!tasks.isEmpty()) {
                runOne();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anErrorOfAHandlerReleasesTheUnitAndStopsNothingElse(boolean planned) {
        fleetScene.joinBare(
                "ann",
                it -> mode(it, planned).handler(new Mild() {
                    @Override
                    public CompletionStage<?> assigned(Unit unit) {
                        if (unit.name().equals("u0")) {
                            throw new LinkageError("a class is missing");
                        }
                        return super.assigned(unit);
                    }
                }));
        fleetScene.fleet("ann").units().create("u0", "u1", "u2", "u3");
        fleetScene.advance(Duration.ofSeconds(5));
        assertThat(fleetScene.held("ann")).containsExactly("u1", "u2", "u3");

        fleetScene.join("bob", it -> mode(it, planned));
        fleetScene.settle();

        assertThat(fleetScene.held("bob")).contains("u0");
        assertThat(fleetScene.allHeld()).hasSize(4);
    }

    private static FleetBuilder mode(FleetBuilder builder, boolean planned) {
        return planned ? builder : builder.withoutPlanner();
    }

    @Test
    void anErrorWhileStoppingHandsTheUnitOver() {
        fleetScene.create(4);
        fleetScene.joinBare(
                "ann",
                it -> it.handler(new Mild() {
                    @Override
                    public CompletionStage<?> revoked(Unit unit) {
                        throw new StackOverflowError("too deep");
                    }
                }));
        fleetScene.advance(Duration.ofSeconds(5));
        fleetScene.join("bob");
        fleetScene.settle();

        assertThat(fleetScene.loads()).containsEntry("ann", 2).containsEntry("bob", 2);
    }

    @Test
    void aHandlerThatReturnsNullHasFailed() {
        fleetScene.create(2);
        fleetScene.joinBare(
                "ann",
                it -> it.handler(new Mild() {
                    @Override
                    @SuppressWarnings("NullAway") // Like a handler that is compiled without null checks.
                    public CompletionStage<?> assigned(Unit unit) {
                        return unit.name().equals("u0") ? null : super.assigned(unit);
                    }

                    @Override
                    @SuppressWarnings("NullAway")
                    public CompletionStage<?> revoked(Unit unit) {
                        return null;
                    }
                }));
        fleetScene.advance(Duration.ofSeconds(5));
        assertThat(fleetScene.held("ann")).containsExactly("u1");

        fleetScene.join("bob");
        fleetScene.settle();
        fleetScene.leave("ann");
        fleetScene.advance(Duration.ofSeconds(5));

        assertThat(fleetScene.held("bob")).containsExactly("u0", "u1");
    }

    @Test
    void anErrorOfAListenerStopsNothing() {
        fleetScene.create(3);
        fleetScene.join("ann", it -> it.listener(new Deaf()));
        fleetScene.advance(Duration.ofSeconds(5));
        assertThat(fleetScene.held("ann")).hasSize(3);

        fleetScene.join("bob", it -> it.listener(new Deaf()));
        fleetScene.settle();
        fleetScene.leave("ann");
        fleetScene.settle();

        assertThat(fleetScene.held("bob")).hasSize(3);
        assertThat(fleetScene.fleet("bob").health()).isEqualTo(FleetHealth.GOOD);
    }

    private static final class Deaf implements FleetListener {
        @Override
        public void onAssigned(String unit, Fence fence) {
            throw new NoClassDefFoundError("onAssigned");
        }

        @Override
        public void onRevoked(String unit, Fence fence, RevokeReason reason) {
            throw new NoClassDefFoundError("onRevoked");
        }

        @Override
        public void onJoined(String worker) {
            throw new NoClassDefFoundError("onJoined");
        }

        @Override
        public void onPlanner(boolean planner) {
            throw new NoClassDefFoundError("onPlanner");
        }

        @Override
        public void onPlanned(int placed, int moved, int unplaced) {
            throw new NoClassDefFoundError("onPlanned");
        }

        @Override
        public void onTrouble(String what, Throwable cause) {
            throw new NoClassDefFoundError("onTrouble");
        }
    }

    @Test
    void aPlannerResignsWhenItsStrategyThrowsErrors() {
        fleetScene.create(2);
        fleetScene.join(
                "ann",
                it -> it.strategy(fleetSituation -> {
                    throw new StackOverflowError("too deep");
                }));
        fleetScene.settle();
        fleetScene.join("bob");
        fleetScene.settle();
        fleetScene.settle();

        assertThat(fleetScene.allHeld()).hasSize(2);
        assertThat(fleetScene.fleet("bob").status().planner()).contains("bob");
    }

    @Test
    void aUnitIsNotHandedOverBeforeItsStopHasBegunAndTheWorkerReportsTheWait() {
        fleetScene.create(4);
        LateExecutor executor = new LateExecutor();
        fleetScene.join("ann", it -> it.executor(executor));
        fleetScene.advance(Duration.ofSeconds(5));
        executor.late = true;
        fleetScene.join("bob");
        fleetScene.settle();
        assertThat(executor.tasks).hasSize(2);
        assertThat(fleetScene.held("bob")).isEmpty();
        assertThat(fleetScene.held("ann")).hasSize(4);
        assertThat(fleetScene.fleet("ann").isHealthy()).isFalse();
        assertThat(fleetScene.fleet("ann").health().reason()).contains("has waited", "for a thread");

        executor.runOne();
        fleetScene.advance(Duration.ofSeconds(2));
        assertThat(fleetScene.held("bob")).hasSize(1);

        executor.runAll();
        fleetScene.advance(Duration.ofSeconds(2));
        assertThat(fleetScene.loads()).containsEntry("ann", 2).containsEntry("bob", 2);
        assertThat(fleetScene.fleet("ann").health()).isEqualTo(FleetHealth.GOOD);
    }

    @Test
    void aUnitIsNotReleasedAtTheCloseDeadlineBeforeItsStopHasBegun() {
        fleetScene.create(2);
        LateExecutor executor = new LateExecutor();
        Fleet ann = fleetScene.join("ann", it -> it.executor(executor));
        fleetScene.join("bob");
        fleetScene.settle();
        executor.late = true;

        CompletableFuture<Void> closing = ann.closeAsync().toCompletableFuture();
        fleetScene.advance(FleetOptions.defaults().term(FleetScene.TERM).closeDeadline());
        assertThat(closing).isCompleted();
        fleetScene.settle();
        assertThat(fleetScene.held("bob")).hasSize(1);

        executor.runAll();
        fleetScene.advance(Duration.ofSeconds(5));
        assertThat(fleetScene.held("bob")).hasSize(2);
        assertThat(ann.held()).isEmpty();
    }

    @Test
    void aUnitThatNeverStartedIsHandedOverWithoutAnyCallback() {
        fleetScene.create(2);
        LateExecutor executor = new LateExecutor();
        executor.late = true;
        fleetScene.join("ann", it -> it.executor(executor));
        fleetScene.advance(Duration.ofSeconds(5));
        fleetScene.join("bob");
        fleetScene.settle();
        assertThat(fleetScene.held("bob")).hasSize(1);

        executor.runAll();
        fleetScene.advance(Duration.ofSeconds(2));

        assertThat(fleetScene.events).filteredOn(line -> line.startsWith("ann")).hasSize(1);
        assertThat(fleetScene.loads()).containsEntry("ann", 1).containsEntry("bob", 1);
    }

    @Test
    void workIsStoppedEvenIfTheExecutorRejectsTheTask() {
        fleetScene.create(2);
        boolean[] full = {false};
        fleetScene.join(
                "ann",
                it -> it.executor(task -> {
                    if (full[0]) {
                        throw new RejectedExecutionException("full");
                    }
                    task.run();
                }));
        fleetScene.advance(Duration.ofSeconds(5));
        full[0] = true;
        fleetScene.join("bob");
        fleetScene.settle();

        assertThat(fleetScene.events)
                .filteredOn(line -> line.startsWith("ann stops"))
                .hasSize(1);
        assertThat(fleetScene.held("bob")).hasSize(1);
    }

    @Test
    void theTimeToStopCountsFromTheStartOfTheCallback() {
        fleetScene.create(2);
        LateExecutor executor = new LateExecutor();
        fleetScene.join(
                "ann",
                it -> it.executor(executor)
                        .options(FleetOptions.defaults().revokeDeadline(Duration.ofSeconds(4)))
                        .onRevoked(unit -> events.add("time to stop: " + unit.timeToStop())));
        fleetScene.advance(Duration.ofSeconds(5));
        executor.late = true;
        fleetScene.join("bob");
        fleetScene.settle();

        executor.runAll();

        assertThat(events).containsExactly("time to stop: PT4S");
    }

    @Test
    void aStartThatDoesNotReturnMakesTheWorkerUnhealthy() {
        fleetScene.create(1);
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        fleetScene.joinBare(
                "ann",
                it -> it.handler(new Mild() {
                    @Override
                    public CompletionStage<?> assigned(Unit unit) {
                        return begun;
                    }
                }));
        fleetScene.advance(Duration.ofSeconds(20));
        assertThat(fleetScene.fleet("ann").isHealthy()).isTrue();
        fleetScene.advance(Duration.ofSeconds(20));
        assertThat(fleetScene.fleet("ann").health().reason()).startsWith("onAssigned of unit u0 has run for ");

        begun.complete(true);
        fleetScene.advance(Duration.ZERO);
        assertThat(fleetScene.fleet("ann").isHealthy()).isTrue();
    }
}
