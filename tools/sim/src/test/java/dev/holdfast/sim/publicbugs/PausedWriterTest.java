package dev.holdfast.sim.publicbugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.SimulatedHolding;
import dev.holdfast.sim.world.FaultInjector;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Lost updates under a lock: Jepsen's report on etcd 3.4.3. It shows that a lock alone cannot protect a resource, as a holder may be
 * paused between its check and its write. That is true of Holdfast too. The resource must check the fence, and then nothing is lost.
 */
class PausedWriterTest {
    private static final Key KEY = Key.of("sim", "set");
    private static final Duration TERM = Duration.ofSeconds(2);
    private static final Duration STORMY = Duration.ofSeconds(60);

    @Test
    void noAcknowledgedUpdateIsLostIfTheResourceChecksFences() {
        assertThat(ScenarioRuns.violations(simulation -> play(simulation, true), SimulatedVariant.REAL))
                .isEmpty();
    }

    @Test
    void theScenarioReportsLostUpdatesIfTheResourceChecksNothing() {
        assertThat(ScenarioRuns.violations(simulation -> play(simulation, false), SimulatedVariant.REAL))
                .isNotEmpty()
                .allMatch(violation -> violation.contains("acknowledged updates are kept"));
    }

    /** Writers read a set, are paused at random, and write the set with one more element. */
    private static void play(Simulation simulation, boolean checksFences) {
        SharedSet shared = new SharedSet(checksFences);
        simulation.processes(
                "writer", 3, client -> client.loop(Duration.ofMillis(200), again -> add(client, shared, again)));
        simulation.playOut(STORMY, Duration.ofSeconds(20), List.of(KEY), FaultInjector::healAt);
        ScenarioRuns.require(
                simulation,
                shared.elements.containsAll(shared.acknowledged),
                "4, acknowledged updates are kept",
                shared.acknowledged.size() + " were acknowledged, and of them "
                        + shared.elements.stream()
                                .filter(shared.acknowledged::contains)
                                .count() + " are there");
        ScenarioRuns.require(simulation, !shared.acknowledged.isEmpty(), "6, writers go on", "no update");
    }

    private static void add(SimClient client, SharedSet shared, Runnable again) {
        client.acquire(
                KEY,
                AcquireOptions.defaults().term(TERM),
                Duration.ofSeconds(5),
                holding -> {
                    Set<Long> read = shared.read(holding);
                    if (!holding.lease().isHeld()) {
                        client.release(holding, again);
                        return;
                    }
                    // The process stops between its check and its write, and cannot know for how long.
                    if (client.world().chance(0.3)) {
                        client.process().pause(client.world().between(TERM, TERM.multipliedBy(4)));
                    }
                    client.after(Duration.ofMillis(100), () -> {
                        shared.write(holding, read);
                        client.release(holding, again);
                    });
                },
                again);
    }

    /** A set that is written as a whole, as a row or a file is. */
    private static final class SharedSet {
        private final boolean checksFences;
        private final Set<Long> acknowledged = new HashSet<>();
        private Set<Long> elements = new HashSet<>();
        private Fence highest = Fence.NONE;
        private long next;

        SharedSet(boolean checksFences) {
            this.checksFences = checksFences;
        }

        Set<Long> read(SimulatedHolding holding) {
            Fence fence = holding.lease().fence();
            highest = highest.isAbove(fence) ? highest : fence;
            return elements;
        }

        void write(SimulatedHolding holding, Set<Long> read) {
            if (checksFences && highest.isAbove(holding.lease().fence())) {
                return; // The writer is not acknowledged, and knows it.
            }
            Set<Long> written = new HashSet<>(read);
            written.add(next);
            acknowledged.add(next++);
            elements = written;
        }
    }
}
