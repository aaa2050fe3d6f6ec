package dev.holdfast.sim.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the study with a small fleet, and of its bounds there. */
@Tag("slow")
class ScaleStudyTest {
    private static final int WORKERS = 20;
    private static final int UNITS = 400;
    private static final Duration POLL = HoldfastFleet.OPTIONS.poll();

    /**
     * The time to detect a change, plan, write and begin: some round trips, with clocks that differ by a thousandth.
     */
    private static final Duration HANDLING = Duration.ofMillis(500);

    @TempDir
    private Path folder;

    private static DeploymentFigures measure(SpreadingMethod spreadingMethod, int units) {
        return new ScaleTrial(spreadingMethod.deploy(units, ScaleTrial.most(WORKERS)), WORKERS).run();
    }

    @Test
    void onAStoreWithAClockNoUnitIsIdleForMoreThanATermAndTwoPolls() {
        DeploymentFigures deploymentFigures = measure(SpreadingMethod.PLANNED, UNITS);

        Duration bound = FleetDeployment.TERM.plus(POLL.multipliedBy(2)).plus(HANDLING);
        assertThat(changes(deploymentFigures)).allSatisfy(change -> {
            assertThat(change.recovered()).isLessThanOrEqualTo(bound);
            assertThat(change.excess()).isLessThanOrEqualTo(1.1);
        });
    }

    /**
     * A beat is observed up to a poll after it was written, and the term counts from then. A worker that has not
     * observed it before starts to count anew.
     */
    @Test
    void onAStoreWithoutAClockRecoveryTakesAPollMoreAndATermMoreIfNoObserverIsLeft() {
        DeploymentFigures deploymentFigures = measure(SpreadingMethod.OBSERVED, UNITS);

        Duration bound = FleetDeployment.TERM.plus(POLL.multipliedBy(3)).plus(HANDLING);
        assertThat(deploymentFigures.loss().recovered()).isLessThanOrEqualTo(bound);
        assertThat(deploymentFigures.plannerLoss().recovered()).isLessThanOrEqualTo(bound);
        assertThat(deploymentFigures.commandLoss().recovered())
                .isLessThanOrEqualTo(bound.plus(FleetDeployment.TERM).plus(POLL));
        assertThat(changes(deploymentFigures))
                .allSatisfy(change -> assertThat(change.excess()).isLessThanOrEqualTo(1.1));
    }

    @Test
    void requestsAtRestGrowWithTheWorkersAndNotWithTheUnits() {
        double few = measure(SpreadingMethod.PLANNED, WORKERS).requestsPerSecond();
        double many = measure(SpreadingMethod.PLANNED, 20 * WORKERS).requestsPerSecond();

        assertThat(many).isBetween(0.95 * few, 1.05 * few);
        assertThat(many / WORKERS).isLessThan(1.2);
    }

    @Test
    void whenEveryWorkerScansRequestsGrowWithTheUnitsAndBalancingTakesTwoTermsPerStolenUnit() {
        DeploymentFigures deploymentFigures = measure(SpreadingMethod.SCANNING, UNITS);

        // One renewal per lease every third of a term, and one page with each round of renewals.
        assertThat(deploymentFigures.requestsPerSecond()).isBetween(0.3 * UNITS, 0.33 * UNITS + WORKERS);
        assertThat(deploymentFigures.loss().recovered()).isGreaterThan(FleetDeployment.TERM);
        // One unit at a time, every two terms, until the new worker has as many as the others.
        assertThat(deploymentFigures.growth().balanced())
                .isGreaterThan(FleetDeployment.TERM.multipliedBy(2L * UNITS / WORKERS - 4));
    }

    @Test
    void measurementsAreKeptAndDrawn() throws IOException {
        ScaleStudy.main(new String[] {folder.toString(), "10"});
        List<String> measured = Files.readAllLines(folder.resolve("fleet-scale.csv"));
        ScaleStudy.main(new String[] {folder.toString(), "10"});

        assertThat(measured).hasSize(1 + SpreadingMethod.values().length);
        assertThat(Files.readAllLines(folder.resolve("fleet-scale.csv"))).isEqualTo(measured);
        assertThat(folder.resolve("fleet-scale.svg"))
                .content()
                .startsWith("<svg")
                .endsWith("</svg>\n");
    }

    private static List<DeploymentFigures.Change> changes(DeploymentFigures deploymentFigures) {
        return List.of(
                deploymentFigures.loss(),
                deploymentFigures.growth(),
                deploymentFigures.plannerLoss(),
                deploymentFigures.commandLoss());
    }
}
