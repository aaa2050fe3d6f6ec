package dev.holdfast.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that pitest runs the tests: known mutants die, and known harmless ones survive. Otherwise a score would mean nothing. */
class MutationRunTest {
    @TempDir
    Path reports;

    @Test
    void aDeadlyMutantDiesAndAHarmlessOneSurvives() throws IOException {
        List<Mutant> mutants = run();

        assertThat(mutants)
                .extracting(it -> it.site().place(), it -> it.site().change(), Mutant::fate)
                .contains(
                        tuple(
                                "SampleGauge.doubled",
                                "Replaced integer multiplication with division",
                                MutantFate.KILLED),
                        tuple("SampleGauge.larger", "negated conditional", MutantFate.KILLED),
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
    void anEndlessLoopIsNoSurvivor() throws IOException {
        assertThat(run())
                .filteredOn(it -> it.site().place().equals("SampleGauge.isMultiple"))
                .filteredOn(it -> it.site().change().startsWith("negated")
                        || it.site().change().contains("return with false"))
                .isNotEmpty()
                .allMatch(it -> it.fate().isDetected());
    }

    @Test
    void aMutantIsNamedByItsSource() throws IOException {
        assertThat(run())
                .extracting(it -> it.site().source())
                .contains("return value * 2;", "return first > second ? first : second;");
    }

    private List<Mutant> run() throws IOException {
        List<String> classPath = List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1));
        return new MutationRun(
                        classPath,
                        Path.of("target/test-classes"),
                        Path.of("src/test/java"),
                        List.of(SampleGauge.class.getName()),
                        List.of(SampleGaugeTest.class.getName()),
                        List.of(),
                        reports)
                .run();
    }
}
