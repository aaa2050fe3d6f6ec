package dev.holdfast.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that pitest runs the tests: known mutants die, and known harmless ones survive. Otherwise a score would mean nothing. */
class MutationRunTest {
    private static List<Mutant> mutants = List.of();

    @BeforeAll
    static void run(@TempDir Path reports) throws IOException {
        List<String> classPath = List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1));
        mutants = new MutationRun(
                        classPath,
                        Path.of("target/test-classes").toAbsolutePath(),
                        Path.of("src/test/java").toAbsolutePath(),
                        List.of(SampleGauge.class.getName()),
                        List.of(SampleGaugeTest.class.getName()),
                        List.of(),
                        reports)
                .run();
    }

    @Test
    void aDeadlyMutantDiesAndAHarmlessOneSurvives() {
        assertThat(mutants)
                .extracting(it -> it.site().place(), it -> it.site().change(), Mutant::fate)
                .contains(
                        tuple(
                                "SampleGauge.doubled",
                                "Replaced integer multiplication with division",
                                MutantFate.KILLED),
                        tuple(
                                "SampleGauge.larger",
                                "removed conditional - replaced comparison check with false",
                                MutantFate.KILLED),
                        tuple("SampleGauge.larger", "changed conditional boundary", MutantFate.SURVIVED),
                        tuple(
                                "SampleGauge.isMultiple",
                                "replaced boolean return with true for SampleGauge::isMultiple",
                                MutantFate.KILLED),
                        tuple(
                                "SampleGauge.isUntested",
                                "replaced boolean return with false for SampleGauge::isUntested",
                                MutantFate.NO_COVERAGE));
    }

    @Test
    void anEndlessLoopIsNoSurvivor() {
        assertThat(mutants)
                .extracting(it -> it.site().place(), it -> it.site().change(), Mutant::fate)
                .contains(tuple(
                        "SampleGauge.isMultiple",
                        "removed conditional - replaced equality check with false",
                        MutantFate.TIMED_OUT));
    }

    @Test
    void aMutantIsNamedByItsSource() {
        assertThat(mutants)
                .extracting(it -> it.site().source())
                .contains("return value * 2;", "return first > second ? first : second;");
    }
}
