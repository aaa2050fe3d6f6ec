package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LooseFleetTest {
    private final FleetScene fleetScene = new FleetScene();

    @AfterEach
    void close() {
        fleetScene.close();
    }

    private Fleet join(String worker) {
        return fleetScene.join(worker, FleetBuilder::withoutPlanner);
    }

    @Test
    void aSingleWorkerTakesAllFreeUnits() {
        Fleet ann = join("ann");
        ann.units().create("a", "b", "c");
        fleetScene.advance(Duration.ofSeconds(5));

        assertThat(fleetScene.held("ann")).containsExactly("a", "b", "c");
    }

    @Test
    void aWorkerThatJoinsLaterStealsItsShareAndNoMore() {
        Fleet ann = join("ann");
        ann.units().create("a", "b", "c", "d", "e");
        fleetScene.advance(Duration.ofSeconds(5));

        join("bob");
        fleetScene.settle();

        assertThat(fleetScene.loads()).containsEntry("ann", 3).containsEntry("bob", 2);
        assertThat(fleetScene.events)
                .filteredOn(line -> line.startsWith("ann stops"))
                .hasSize(2)
                .allMatch(line -> line.endsWith("LOST"));
        assertThat(fleetScene.events).noneMatch(line -> line.startsWith("bob stops"));
        FleetStatus status = ann.status();
        assertThat(status.planner()).isEmpty();
        assertThat(status.workers()).hasSize(2);
        assertThat(status.units()).isEqualTo(new FleetStatus.UnitTotals(5, 5, 0, 0, 0, 0));
    }

    @Test
    void theUnitsOfADeadWorkerAreTakenWhenTheirTermsAreOver() {
        Fleet ann = join("ann");
        ann.units().create("a", "b", "c", "d");
        join("bob");
        fleetScene.settle();

        fleetScene.kill("bob");
        fleetScene.advance(FleetScene.TERM.plus(FleetScene.POLL.multipliedBy(2)));

        assertThat(fleetScene.held("ann")).hasSize(4);
        assertThat(fleetScene.fleet("ann").isHealthy()).isTrue();
    }

    @Test
    void aWorkerCutOffFromTheStoreStopsItsUnitsBeforeTheyExpire() {
        Fleet ann = fleetScene.join(
                "ann",
                it -> it.withoutPlanner()
                        .onRevoked(unit -> fleetScene.events.add(unit.revoked().orElseThrow() + " " + unit.isHeld())));
        ann.units().create("a", "b");
        fleetScene.advance(Duration.ofSeconds(5));

        fleetScene.store("ann").always(Call.APPLY, StoreFault.LOSE_REQUEST);
        fleetScene.store("ann").always(Call.READ, StoreFault.LOSE_REQUEST);
        fleetScene.store("ann").always(Call.SCAN, StoreFault.LOSE_REQUEST);
        fleetScene.advance(FleetScene.TERM);

        assertThat(fleetScene.events)
                .filteredOn(line -> line.contains("true") || line.contains("false"))
                .containsExactly("EXPIRING true", "EXPIRING true");
        assertThat(fleetScene.held("ann")).isEmpty();
    }

    @Test
    void aHeldUnitIsEvictedAndDeleted() {
        Fleet ann = join("ann");
        ann.units().create("a", "b");
        fleetScene.advance(Duration.ofSeconds(5));

        assertThat(ann.units().delete("a")).isTrue();
        assertThat(ann.units().list()).extracting(UnitStatus::name).containsExactly("b");
        fleetScene.advance(FleetScene.TERM.dividedBy(5));

        assertThat(fleetScene.held("ann")).containsExactly("b");
        assertThat(fleetScene.events).contains("ann stops a: LOST");
    }

    @Test
    void aWorkerThatLeavesReleasesAllUnits() {
        Fleet ann = join("ann");
        ann.units().create("a", "b", "c", "d");
        join("bob");
        fleetScene.settle();

        fleetScene.leave("bob");
        fleetScene.advance(FleetScene.POLL.multipliedBy(2));

        assertThat(fleetScene.held("ann")).hasSize(4);
        assertThat(fleetScene.events)
                .filteredOn(line -> line.endsWith("CLOSING"))
                .hasSize(2)
                .allMatch(line -> line.startsWith("bob stops"));
    }

    @Test
    void aDoneUnitIsNotTaken() {
        Fleet ann = join("ann");
        ann.units().create("a", "b");
        fleetScene.advance(Duration.ofSeconds(5));
        String done = ann.held().get(0).name();

        ann.held().get(0).done();
        fleetScene.settle();

        assertThat(fleetScene.held("ann")).hasSize(1).doesNotContain(done);
    }

    @Test
    void aFailedUnitIsLeftToOthersDuringItsBackoff() {
        Fleet ann = fleetScene.join(
                "ann",
                it -> it.withoutPlanner().onAssigned(unit -> {
                    throw new IllegalStateException("not here");
                }));
        ann.units().create("a", "b");
        fleetScene.advance(Duration.ofSeconds(5));

        join("bob");
        fleetScene.settle();

        assertThat(fleetScene.held("bob")).containsExactly("a", "b");
    }

    @Test
    void keysOfAnExistingNamespaceAreUnits() {
        fleetScene
                .outsider
                .tryAcquire(dev.holdfast.Key.of("shards", "s1"), dev.holdfast.AcquireOptions.defaults())
                .orThrow()
                .release();
        fleetScene.join("ann", it -> it.withoutPlanner("shards"));
        fleetScene.advance(Duration.ofSeconds(5));

        assertThat(fleetScene.held("ann")).containsExactly("s1");
    }

    @Test
    void aDeletedUnitIsGone() {
        Fleet ann = join("ann");
        ann.units().create("a", "b");
        assertThat(ann.units().delete("a")).isTrue();
        fleetScene.advance(Duration.ofSeconds(5));

        assertThat(fleetScene.held("ann")).containsExactly("b");
        assertThat(ann.units().list()).extracting(UnitStatus::name).containsExactly("b");
    }
}
