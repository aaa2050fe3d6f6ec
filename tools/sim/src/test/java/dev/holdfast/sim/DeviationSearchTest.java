package dev.holdfast.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sim.bugs.PlantedBug;
import dev.holdfast.sim.explore.DeviationSearch;
import dev.holdfast.sim.explore.DeviationSearch.DeviationResult;
import dev.holdfast.sim.explore.SmallWorld;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every run of two real clients with one fault. */
class DeviationSearchTest {
    private static final int SEEDS = 4;

    @ParameterizedTest
    @EnumSource(SmallWorld.class)
    void noFaultViolatesAnInvariant(SmallWorld world) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            DeviationResult result = new DeviationSearch(world, SimulatedVariant.REAL, seed).run(1);
            assertThat(result.violation())
                    .as("%s, seed %d, by %s", world, seed, result.by())
                    .isNull();
            assertThat(result.runs()).isGreaterThan(50);
        }
    }

    /** Bugs outside of the rules, which {@link ScheduleSearchTest} cannot find. */
    @ParameterizedTest
    @EnumSource(
            value = PlantedBug.class,
            names = {"UNKNOWN_OUTCOME_TAKEN_AS_NO", "RENEWAL_WITHOUT_A_VERSION_CHECK", "TIMERS_ARE_LOST"})
    void aPlantedBugIsFoundWithOneFault(PlantedBug bug) {
        boolean isFound = false;
        for (SmallWorld world : SmallWorld.values()) {
            for (long seed = 1; seed <= SEEDS && !isFound; seed++) {
                DeviationResult result = new DeviationSearch(world, bug, seed).run(1);
                isFound = result.violation() != null;
                if (isFound) {
                    System.out.println(bug + " found by " + result.by() + ": " + result.violation());
                }
            }
        }
        assertThat(isFound).isTrue();
    }
}
