package dev.holdfast.judges;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Histories of a simulated store: correct ones are accepted, defective ones are found. */
class GeneratedHistoryTest {
    private static final int SEEDS = 1_000;

    private static JudgeReport judge(GeneratedHistory generated) {
        return LinearizabilityJudge.judge(generated.history());
    }

    @Test
    void everyHistoryOfACorrectStoreIsAccepted() {
        for (int seed = 0; seed < SEEDS; seed++) {
            JudgeReport report = judge(new GeneratedHistory(seed, PlantedDefect.NONE, 4, 1 + seed % 3, 60, 15));
            assertThat(report.violations()).as("seed %d", seed).isEmpty();
            assertThat(report.undecidedKeys()).as("seed %d", seed).isEmpty();
        }
    }

    /** Some defects leave no trace, for example a lost update that no call reads. So the share is below one. */
    @ParameterizedTest
    @CsvSource({
        "DOUBLE_GRANT, 95",
        "REPEATED_FENCE, 95",
        "LOST_UPDATE, 70",
        "LOST_DONE, 90",
        "REFUSED_THOUGH_FREE, 80",
    })
    void mostDefectsAreFound(PlantedDefect defect, int leastPercent) {
        int struck = 0;
        int found = 0;
        for (int seed = 0; seed < SEEDS / 5; seed++) {
            GeneratedHistory generated = new GeneratedHistory(seed, defect, 4, 1, 60, 0);
            if (generated.hasStruck()) {
                struck++;
                found += judge(generated).violations().isEmpty() ? 0 : 1;
            }
        }
        assertThat(struck).isGreaterThan(SEEDS / 40);
        assertThat(100 * found / struck).as("found %d of %d", found, struck).isGreaterThanOrEqualTo(leastPercent);
    }

    @Test
    void manyUnknownOutcomesOnOneKeyAreDecided() {
        for (int seed = 0; seed < 10; seed++) {
            JudgeReport report = judge(new GeneratedHistory(seed, PlantedDefect.NONE, 10, 1, 300, 10));
            assertThat(report.unknownOutcomes()).isGreaterThan(10);
            assertThat(report.isClean()).as("seed %d", seed).isTrue();
        }
    }

    @Test
    void fiveThousandCallsAreJudgedWithinSeconds() {
        ChaosHistory history = new GeneratedHistory(1, PlantedDefect.NONE, 10, 100, 5_000, 50).history();
        assertThat(history.calls()).hasSize(5_000);
        long start = System.nanoTime();
        JudgeReport report = LinearizabilityJudge.judge(history);
        Duration taken = Duration.ofNanos(System.nanoTime() - start);
        assertThat(report.isClean()).isTrue();
        assertThat(taken).isLessThan(Duration.ofSeconds(20));
    }
}
