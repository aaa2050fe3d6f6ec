package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Fault;
import dev.holdfast.testkit.FaultyStore.Call;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthTest {
    private final Crew crew = new Crew();

    @AfterEach
    void close() {
        crew.close();
    }

    @Test
    void aFleetThatIsPlannedIsHealthy() {
        crew.create(2);
        crew.join("ann");
        crew.join("bob");

        for (int i = 0; i < 20; i++) {
            crew.advance(Crew.TERM);
            assertThat(crew.fleet("ann").health()).isEqualTo(FleetHealth.GOOD);
            assertThat(crew.fleet("bob").health()).isEqualTo(FleetHealth.GOOD);
        }
    }

    @Test
    void planningThatStallsShowsEverywhereAndThePlannerLeavesItToAnother() {
        crew.create(2);
        crew.join("ann");
        crew.join("bob");
        crew.settle();
        assertThat(crew.fleet("bob").status().planner()).contains("ann");

        // All but what planning needs goes through: there is a new unit, and none may be listed.
        crew.units().create("late");
        crew.store("ann").always(Call.SCAN, Fault.FAIL);
        crew.store("bob").always(Call.SCAN, Fault.FAIL);
        crew.advance(Crew.TERM.multipliedBy(8));
        assertThat(crew.fleet("ann").health().reason()).startsWith("planning has stalled");
        assertThat(crew.fleet("bob").health().reason()).startsWith("planning has stalled");
        assertThat(crew.allHeld()).hasSize(2);

        crew.store("bob").heal();
        crew.advance(Crew.TERM.multipliedBy(20));
        assertThat(crew.fleet("bob").status().planner()).contains("bob");
        assertThat(crew.fleet("ann").isHealthy()).isTrue();
    }

    @Test
    void theStatusTellsWorkersUnitsAndWhoPlans() {
        crew.create(5);
        crew.join("ann");
        crew.join("bob");
        crew.settle();
        crew.fleet("ann").held().get(0).done();
        crew.settle();

        FleetStatus status = Fleet.status(crew.outsider, "crew");

        assertThat(status.fleet()).isEqualTo("crew");
        assertThat(status.planner()).contains("ann");
        assertThat(status.planAge().orElseThrow()).isLessThanOrEqualTo(Duration.ofSeconds(3));
        assertThat(status.moves()).isZero();
        assertThat(status.workers())
                .containsExactly(
                        new FleetStatus.WorkerStatus("ann", 2, 0, false),
                        new FleetStatus.WorkerStatus("bob", 2, 0, false));
        assertThat(status.units()).isEqualTo(new FleetStatus.UnitTotals(5, 4, 1, 0));
    }

    @Test
    void aFleetThatNobodyIsInHasAStatusToo() {
        crew.create(3);

        FleetStatus status = Fleet.status(crew.outsider, "crew");

        assertThat(status.planner()).isEmpty();
        assertThat(status.workers()).isEmpty();
        assertThat(status.units()).isEqualTo(new FleetStatus.UnitTotals(3, 0, 0, 3));
    }
}
