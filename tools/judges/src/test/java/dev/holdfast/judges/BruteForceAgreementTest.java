package dev.holdfast.judges;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The search and the brute force agree on thousands of tiny histories, possible and impossible ones. */
class BruteForceAgreementTest {
    private static final int SEEDS = 5_000;

    @Test
    void theSearchAgreesWithTheBruteForce() {
        int possible = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            ChaosHistory history = TinyHistory.of(seed, 1 + seed % 7);
            boolean expected = new BruteForceChecker(history).isLinearizable();
            JudgeReport report = LinearizabilityJudge.judge(history);
            assertThat(report.undecidedKeys()).isEmpty();
            assertThat(report.violations().isEmpty()).as(() -> text(history)).isEqualTo(expected);
            possible += expected ? 1 : 0;
        }
        assertThat(possible).as("possible ones of " + SEEDS).isBetween(SEEDS / 10, SEEDS * 9 / 10);
    }

    private static String text(ChaosHistory history) {
        return history.lines().stream().map(HistoryLine::text).collect(Collectors.joining("\n"));
    }
}
