package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthTest {
    private final FleetScene fleetScene = new FleetScene();

    @AfterEach
    void close() {
        fleetScene.close();
    }

    @Test
    void aFleetWithAPlannerIsHealthy() {
        fleetScene.create(2);
        fleetScene.join("ann");
        fleetScene.join("bob");

        for (int i = 0; i < 20; i++) {
            fleetScene.advance(FleetScene.TERM);
            assertThat(fleetScene.fleet("ann").health()).isEqualTo(FleetHealth.GOOD);
            assertThat(fleetScene.fleet("bob").health()).isEqualTo(FleetHealth.GOOD);
        }
    }

    @Test
    void stalledPlanningMakesAllWorkersUnhealthyAndThePlannerResigns() {
        fleetScene.create(2);
        fleetScene.join("ann");
        fleetScene.join("bob");
        fleetScene.settle();
        assertThat(fleetScene.fleet("bob").status().planner()).contains("ann");

        // Only planning fails: there is a new unit, and every listing fails.
        fleetScene.units().create("late");
        fleetScene.store("ann").always(Call.SCAN, StoreFault.FAIL);
        fleetScene.store("bob").always(Call.SCAN, StoreFault.FAIL);
        fleetScene.advance(FleetScene.TERM.multipliedBy(8));
        assertThat(fleetScene.fleet("ann").health().reason()).startsWith("planning has stalled");
        assertThat(fleetScene.fleet("bob").health().reason()).startsWith("planning has stalled");
        assertThat(fleetScene.allHeld()).hasSize(2);

        fleetScene.store("bob").heal();
        fleetScene.advance(FleetScene.TERM.multipliedBy(20));
        assertThat(fleetScene.fleet("bob").status().planner()).contains("bob");
        assertThat(fleetScene.fleet("ann").isHealthy()).isTrue();
    }

    @Test
    void theStatusShowsWorkersUnitsAndThePlanner() {
        fleetScene.create(5);
        fleetScene.join("ann");
        fleetScene.join("bob");
        fleetScene.settle();
        fleetScene.fleet("ann").held().get(0).done();
        fleetScene.settle();

        FleetStatus status = Fleet.status(fleetScene.outsider, "crew");

        assertThat(status.fleet()).isEqualTo("crew");
        assertThat(status.planner()).contains("ann");
        assertThat(status.planAge().orElseThrow()).isLessThanOrEqualTo(Duration.ofSeconds(3));
        assertThat(status.moves()).isZero();
        assertThat(status.workers())
                .containsExactly(
                        new FleetStatus.WorkerStatus("ann", 2, 0, false, true),
                        new FleetStatus.WorkerStatus("bob", 2, 0, false, true));
        assertThat(status.units()).isEqualTo(new FleetStatus.UnitTotals(5, 4, 1, 0, 0, 0));
    }

    @Test
    void aFleetWithoutWorkersHasAStatus() {
        fleetScene.create(3);

        FleetStatus status = Fleet.status(fleetScene.outsider, "crew");

        assertThat(status.planner()).isEmpty();
        assertThat(status.workers()).isEmpty();
        assertThat(status.units()).isEqualTo(new FleetStatus.UnitTotals(3, 0, 0, 3, 0, 0));
    }
}
