package dev.holdfast.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sim.bugs.PlantedBug;
import dev.holdfast.sim.explore.ExploredWorlds;
import dev.holdfast.sim.explore.ScheduleSearch;
import dev.holdfast.sim.explore.ScheduleSearch.SearchResult;
import dev.holdfast.sim.explore.WorldBounds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every schedule of small worlds, with the shipped rules and with planted bugs. */
class ScheduleSearchTest {
    private static final long MOST_STATES = 2_000_000;

    static List<WorldBounds> worlds() {
        return ExploredWorlds.SMALL;
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void noScheduleViolatesAnInvariant(WorldBounds bounds) {
        SearchResult result = new ScheduleSearch(bounds, ExploredWorlds.rules(), MOST_STATES).run();

        System.out.println(bounds + ": " + result.states() + " states, " + result.transitions() + " steps, depth "
                + result.depth());
        assertThat(result.violation()).as(String.join("\n", result.story())).isEmpty();
        assertThat(result.complete()).isTrue();
        assertThat(result.states()).isGreaterThan(10_000);
    }

    /** The number is that of the world of {@link ExploredWorlds#SMALL} that finds the bug, and the length of the story. */
    @ParameterizedTest
    @CsvSource({
        "HOLDER_COUNTS_FROM_THE_REPLY, 5, 10",
        "HOLDER_COUNTS_FROM_THE_RETRY, 0, 12",
        "TAKER_TRUSTS_THE_HOLDERS_WALL_CLOCK, 3, 12",
        "FENCE_RESTARTS_AFTER_RELEASE, 5, 8",
        "DONE_IS_NOT_FINAL, 5, 8",
        "NO_MARGIN_FOR_DRIFT, 3, 11",
        "CHILD_OUTLIVES_ITS_ANCHORS_DEADLINE, 8, 17",
        "ANCHORED_LEASE_TAKEN_WITHOUT_EVICTING_THE_ANCHOR, 8, 18"
    })
    void aPlantedBugIsFoundByAShortestSchedule(PlantedBug bug, int world, int steps) {
        WorldBounds bounds = ExploredWorlds.SMALL.get(world);
        SearchResult result = new ScheduleSearch(bounds, bug.rules(Duration.ZERO), MOST_STATES).run();

        assertThat(result.violation()).isNotEmpty();
        System.out.println(bug + ": " + result.violation() + "\n  " + String.join("\n  ", result.story()));
        assertThat(result.story()).hasSize(steps);
    }
}
