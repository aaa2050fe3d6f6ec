package dev.holdfast.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sim.Simulation.Outcome;
import dev.holdfast.sim.fleet.FleetScenarios;
import dev.holdfast.sim.world.EventTally;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class FleetSimulationTest {
    /** Every scenario runs with each of them. */
    private static final long SEEDS = Long.getLong("sim.fleet.seeds", 125);

    @Test
    void noSeedBreaksAnInvariantOfAnyFleet() {
        EventTally total = new EventTally();
        List<String> violations = LongStream.rangeClosed(1, SEEDS)
                .boxed()
                .parallel()
                .flatMap(seed -> Stream.of(FleetScenarios.values()).map(scenario -> violation(seed, scenario, total)))
                .filter(it -> !it.isEmpty())
                .toList();
        System.out.println("fleet sim: seeds=" + SEEDS + " runs=" + SEEDS * FleetScenarios.values().length + " " + total
                + " violations=" + violations.size());
        assertThat(violations).isEmpty();
    }

    /** A unit was stolen twice within a term: each former worker has its own term to stop. */
    @ParameterizedTest
    @ValueSource(longs = {2201700, 2105141})
    void aUnitMayBeStolenFromTheThief(long seed) {
        assertThat(violation(seed, FleetScenarios.WITHOUT_PLANNER, new EventTally()))
                .isEmpty();
    }

    /** The holder of the fleet's mark resumed after its term, deleted a unit, and released the mark. */
    @Test
    void aUnitDeletedUnderAnExpiredMarkIsNoticed() {
        assertThat(violation(8462, FleetScenarios.SLOW_STORE, new EventTally())).isEmpty();
    }

    @Test
    void aWorkerDoesNotWaitForItsOwnUndeliveredGrant() {
        assertThat(violation(16940, FleetScenarios.FLEET_UNDER_CHAOS, new EventTally()))
                .isEmpty();
    }

    private static String violation(long seed, FleetScenarios scenario, EventTally total) {
        Outcome outcome = Simulation.run(seed, scenario, SimulatedVariant.REAL);
        synchronized (total) {
            total.add(outcome.tally());
        }
        return outcome.violation() == null
                ? ""
                : "seed " + seed + " (" + scenario + ") " + outcome.violation() + "; replay: "
                        + SimulationSoak.replay(scenario, seed);
    }

    @ParameterizedTest
    @EnumSource(FleetScenarios.class)
    void oneSeedIsOneRun(FleetScenarios scenario) {
        String first =
                Simulation.run(1, scenario, SimulatedVariant.REAL).tally().toString();
        String second =
                Simulation.run(1, scenario, SimulatedVariant.REAL).tally().toString();
        assertThat(second).isEqualTo(first);
    }
}
