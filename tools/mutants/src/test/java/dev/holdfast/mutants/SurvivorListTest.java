package dev.holdfast.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SurvivorListTest {
    private static final MutantSite SITE = new MutantSite("Gauge.next", "negated conditional", "if (isFull()) {");
    private static final KnownSurvivor KNOWN = new KnownSurvivor(SITE, KnownSurvivor.Kind.COST, "Only slower.");

    @Test
    void aSurvivorIsThreeLinesAndAnExplanation() {
        String text =
                "# Survivors\n# of a run\n\nGauge.next\nnegated conditional\nif (isFull()) {\ncost: Only\n  slower.\n";

        assertThat(SurvivorList.parse(text)).containsExactly(KNOWN);
    }

    @Test
    void aSurvivorWithoutAnExplanationIsRejected() {
        assertThatThrownBy(() -> SurvivorList.parse("Gauge.next\nnegated conditional\nif (isFull()) {"))
                .hasMessageContaining("expected: place, change, source and explanation");
        assertThatThrownBy(() -> SurvivorList.parse("Gauge.next\nnegated conditional\nif (isFull()) {\ncost:"))
                .hasMessageContaining("an explanation");
        assertThatThrownBy(() -> SurvivorList.parse("Gauge.next\nnegated conditional\nif (isFull()) {\nnot nice: no"))
                .hasMessageContaining("expected: equivalent, cost");
    }

    @Test
    void aNewSurvivorIsUnexplained() {
        Mutant listed = mutant(MutantFate.SURVIVED);

        assertThat(SurvivorCheck.of(List.of(listed), List.of(KNOWN)).unexplained())
                .isEmpty();
        assertThat(SurvivorCheck.of(List.of(listed, listed), List.of(KNOWN)).unexplained())
                .containsExactly(listed);
        assertThat(SurvivorCheck.of(List.of(mutant(MutantFate.NO_COVERAGE)), List.of())
                        .unexplained())
                .hasSize(1);
    }

    @Test
    void anEntryThatNoLongerSurvivesIsOutdated() {
        KnownSurvivor race = new KnownSurvivor(SITE, KnownSurvivor.Kind.CHANCE, "A race.");

        assertThat(SurvivorCheck.of(List.of(mutant(MutantFate.KILLED)), List.of(KNOWN))
                        .outdated())
                .containsExactly(KNOWN);
        assertThat(SurvivorCheck.of(List.of(mutant(MutantFate.KILLED)), List.of(race))
                        .outdated())
                .isEmpty();
        assertThat(SurvivorCheck.of(List.of(), List.of(KNOWN)).outdated())
                .as("its class was not changed in this run")
                .isEmpty();
    }

    @Test
    void aScoreCountsOnlyMutantsThatMadeATestFail() {
        List<Mutant> mutants = List.of(
                mutant(MutantFate.KILLED),
                mutant(MutantFate.TIMED_OUT),
                mutant(MutantFate.SURVIVED),
                mutant(MutantFate.RUN_ERROR));

        assertThat(PackageScore.of("a.b", 50, mutants).isReached()).isTrue();
        assertThat(PackageScore.of("a.b", 51, mutants).isReached()).isFalse();
        assertThat(PackageScore.of("a.b", 51, mutants))
                .hasToString("mutants: a.b: 2 of 4 killed, 50.0 % (aim: 51 %), 2 survived");
    }

    @Test
    void aSiteDoesNotDependOnTheNumbersOfLambdas() {
        MutantSite site = MutantSite.of(
                "dev.holdfast.Gauge$Inner",
                "lambda$next$7",
                "replaced return value with null for dev/holdfast/Gauge$Inner::lambda$next$7",
                "    return it;");

        assertThat(site)
                .isEqualTo(new MutantSite(
                        "Gauge.Inner.next", "replaced return value with null for Gauge.Inner::next", "return it;"));
    }

    private static Mutant mutant(MutantFate fate) {
        return new Mutant("a.b", SITE, 1, fate);
    }
}
