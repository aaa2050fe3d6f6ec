package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.Fence;
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

/** User code that throws errors, returns nothing, or never gets a thread: the worker and the fleet go on. */
class HostileHandlerTest {
    private final Crew crew = new Crew();
    private final List<String> heard = new ArrayList<>();

    @AfterEach
    void close() {
        crew.close();
    }

    /** Does well, unless a test says otherwise. */
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

    /** Runs nothing before the test says so. */
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
    void anErrorOfAHandlerGivesTheUnitBackAndStopsNothingElse(boolean planned) {
        crew.joinBare(
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
        crew.fleet("ann").units().create("u0", "u1", "u2", "u3");
        crew.advance(Duration.ofSeconds(5));
        assertThat(crew.held("ann")).containsExactly("u1", "u2", "u3");

        crew.join("bob", it -> mode(it, planned));
        crew.settle();

        assertThat(crew.held("bob")).contains("u0");
        assertThat(crew.allHeld()).hasSize(4);
    }

    private static FleetBuilder mode(FleetBuilder builder, boolean planned) {
        return planned ? builder : builder.withoutPlanner();
    }

    @Test
    void anErrorWhileStoppingHandsTheUnitOver() {
        crew.create(4);
        crew.joinBare(
                "ann",
                it -> it.handler(new Mild() {
                    @Override
                    public CompletionStage<?> revoked(Unit unit) {
                        throw new StackOverflowError("too deep");
                    }
                }));
        crew.advance(Duration.ofSeconds(5));
        crew.join("bob");
        crew.settle();

        assertThat(crew.loads()).containsEntry("ann", 2).containsEntry("bob", 2);
    }

    @Test
    void aHandlerThatReturnsNoStageHasFailed() {
        crew.create(2);
        crew.joinBare(
                "ann",
                it -> it.handler(new Mild() {
                    @Override
                    @SuppressWarnings("NullAway") // As handlers that are not checked do.
                    public CompletionStage<?> assigned(Unit unit) {
                        return unit.name().equals("u0") ? null : super.assigned(unit);
                    }

                    @Override
                    @SuppressWarnings("NullAway")
                    public CompletionStage<?> revoked(Unit unit) {
                        return null;
                    }
                }));
        crew.advance(Duration.ofSeconds(5));
        assertThat(crew.held("ann")).containsExactly("u1");

        crew.join("bob");
        crew.settle();
        crew.leave("ann");
        crew.advance(Duration.ofSeconds(5));

        assertThat(crew.held("bob")).containsExactly("u0", "u1");
    }

    @Test
    void anErrorOfAListenerStopsNothing() {
        crew.create(3);
        crew.join("ann", it -> it.listener(new Deaf()));
        crew.advance(Duration.ofSeconds(5));
        assertThat(crew.held("ann")).hasSize(3);

        crew.join("bob", it -> it.listener(new Deaf()));
        crew.settle();
        crew.leave("ann");
        crew.settle();

        assertThat(crew.held("bob")).hasSize(3);
        assertThat(crew.fleet("bob").health()).isEqualTo(FleetHealth.GOOD);
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
    void aPlannerWhoseStrategyThrowsErrorsLeavesThePlanToAnotherWorker() {
        crew.create(2);
        crew.join(
                "ann",
                it -> it.strategy(situation -> {
                    throw new StackOverflowError("too deep");
                }));
        crew.settle();
        crew.join("bob");
        crew.settle();
        crew.settle();

        assertThat(crew.allHeld()).hasSize(2);
        assertThat(crew.fleet("bob").status().planner()).contains("bob");
    }

    @Test
    void aUnitIsNotHandedOverBeforeItsStopHasBegunAndTheWorkerSaysThatItWaits() {
        crew.create(4);
        LateExecutor executor = new LateExecutor();
        crew.join("ann", it -> it.executor(executor));
        crew.advance(Duration.ofSeconds(5));
        executor.late = true;
        crew.join("bob");
        crew.settle();
        assertThat(executor.tasks).hasSize(2);
        assertThat(crew.held("bob")).isEmpty();
        assertThat(crew.held("ann")).hasSize(4);
        assertThat(crew.fleet("ann").isHealthy()).isFalse();
        assertThat(crew.fleet("ann").health().reason()).contains("has waited", "for a thread");

        executor.runOne();
        crew.advance(Duration.ofSeconds(2));
        assertThat(crew.held("bob")).hasSize(1);

        executor.runAll();
        crew.advance(Duration.ofSeconds(2));
        assertThat(crew.loads()).containsEntry("ann", 2).containsEntry("bob", 2);
        assertThat(crew.fleet("ann").health()).isEqualTo(FleetHealth.GOOD);
    }

    @Test
    void aUnitIsNotTakenAtTheCloseDeadlineEitherBeforeItsStopHasBegun() {
        crew.create(2);
        LateExecutor executor = new LateExecutor();
        Fleet ann = crew.join("ann", it -> it.executor(executor));
        crew.join("bob");
        crew.settle();
        executor.late = true;

        CompletableFuture<Void> closing = ann.closeAsync().toCompletableFuture();
        crew.advance(FleetOptions.defaults().term(Crew.TERM).closeDeadline());
        assertThat(closing).isCompleted();
        crew.settle();
        assertThat(crew.held("bob")).hasSize(1);

        executor.runAll();
        crew.advance(Duration.ofSeconds(5));
        assertThat(crew.held("bob")).hasSize(2);
        assertThat(ann.held()).isEmpty();
    }

    @Test
    void aUnitWhoseStartNeverBeganIsHandedOverWithoutEitherCallback() {
        crew.create(2);
        LateExecutor executor = new LateExecutor();
        executor.late = true;
        crew.join("ann", it -> it.executor(executor));
        crew.advance(Duration.ofSeconds(5));
        crew.join("bob");
        crew.settle();
        assertThat(crew.held("bob")).hasSize(1);

        executor.runAll();
        crew.advance(Duration.ofSeconds(2));

        assertThat(crew.told).filteredOn(line -> line.startsWith("ann")).hasSize(1);
        assertThat(crew.loads()).containsEntry("ann", 1).containsEntry("bob", 1);
    }

    @Test
    void workIsStoppedAlsoWhenTheExecutorTakesNoMore() {
        crew.create(2);
        boolean[] full = {false};
        crew.join(
                "ann",
                it -> it.executor(task -> {
                    if (full[0]) {
                        throw new RejectedExecutionException("full");
                    }
                    task.run();
                }));
        crew.advance(Duration.ofSeconds(5));
        full[0] = true;
        crew.join("bob");
        crew.settle();

        assertThat(crew.told).filteredOn(line -> line.startsWith("ann stops")).hasSize(1);
        assertThat(crew.held("bob")).hasSize(1);
    }

    @Test
    void theTimeToStopIsCountedFromTheBeginOfTheCallback() {
        crew.create(2);
        LateExecutor executor = new LateExecutor();
        crew.join(
                "ann",
                it -> it.executor(executor)
                        .options(FleetOptions.defaults().revokeDeadline(Duration.ofSeconds(4)))
                        .onRevoked(unit -> heard.add("time to stop: " + unit.timeToStop())));
        crew.advance(Duration.ofSeconds(5));
        executor.late = true;
        crew.join("bob");
        crew.settle();

        executor.runAll();

        assertThat(heard).containsExactly("time to stop: PT4S");
    }

    @Test
    void aStartThatDoesNotReturnShowsInTheHealth() {
        crew.create(1);
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        crew.joinBare(
                "ann",
                it -> it.handler(new Mild() {
                    @Override
                    public CompletionStage<?> assigned(Unit unit) {
                        return begun;
                    }
                }));
        crew.advance(Duration.ofSeconds(20));
        assertThat(crew.fleet("ann").isHealthy()).isTrue();
        crew.advance(Duration.ofSeconds(20));
        assertThat(crew.fleet("ann").health().reason()).startsWith("onAssigned of unit u0 has run for ");

        begun.complete(true);
        crew.advance(Duration.ZERO);
        assertThat(crew.fleet("ann").isHealthy()).isTrue();
    }
}
