package dev.holdfast.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sim.Simulation.Outcome;
import dev.holdfast.sim.scenario.ScenarioList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Replays of runs that once broke an invariant. A seed replays the same run only while its scenario draws its random
 * numbers in the same order: a new fault belongs in a new scenario, or draws from {@code SimWorld.extra}.
 */
class KnownSeedsTest {
    /** An acquire failed with "not applied" although it had been applied. */
    @ParameterizedTest
    @CsvSource({
        "LongPause, 55",
        "LongPause, 5777",
        "LongPause, 8889",
        "LongPause, 44601",
        "LongPause, 1105885",
        "LongPause, 1114694",
        "LongPause, 1205437",
        "LongPause, 1211538",
        "LongPause, 1212590",
        "StampedeOnOneKey, 1101116",
        "StampedeOnOneKey, 1106911",
        "StampedeOnOneKey, 1215869",
        "LocksUnderChurn, 1219486"
    })
    void anAppliedAcquireIsNotReportedAsNotApplied(String scenario, long seed) {
        assertThat(violation(scenario, seed)).isEmpty();
    }

    /** An acquire never completed. */
    @ParameterizedTest
    @CsvSource({"IdleKeys, 1205252", "IdleKeys, 1207543", "IdleKeys, 1217559"})
    void everyAcquireCompletes(String scenario, long seed) {
        assertThat(violation(scenario, seed)).isEmpty();
    }

    /** Responses were lost while the client tried to settle the request, and nearly until all faults had healed. */
    @Test
    void aClientThatWasCutOffNeedNotReleaseAnUndeliveredGrant() {
        assertThat(violation("BusyClients", 4707)).isEmpty();
    }

    /** The request was sent twice: one copy was applied and overwritten, and the other found a conflict. */
    @Test
    void aConflictOfARequestThatWasSentTwiceProvesNothing() {
        assertThat(violation("AnchoredWorkers", 9399)).isEmpty();
    }

    private static String violation(String scenario, long seed) {
        Outcome outcome = Simulation.run(seed, ScenarioList.named(scenario), SimulatedVariant.REAL);
        return outcome.violation() == null ? "" : outcome.violation().toString();
    }
}
