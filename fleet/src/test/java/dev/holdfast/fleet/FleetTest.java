package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributePatch;
import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FleetTest {
    private final FleetScene fleetScene = new FleetScene();

    @AfterEach
    void close() {
        fleetScene.close();
    }

    @Test
    void aSingleWorkerGetsAllUnits() {
        fleetScene.create(7);
        fleetScene.join("ann");

        fleetScene.advance(Duration.ofSeconds(5));

        assertThat(fleetScene.loads()).containsEntry("ann", 7);
        assertThat(fleetScene.events).hasSize(7).allMatch(line -> line.startsWith("ann begins"));
    }

    @Test
    void workersThatStartTogetherShareTheUnitsFromTheBeginning() {
        fleetScene.create(9);
        fleetScene.join("ann");
        fleetScene.join("bob");
        fleetScene.join("cid");

        fleetScene.advance(Duration.ofSeconds(6));

        assertThat(fleetScene.loads().values()).containsOnly(3);
        assertThat(fleetScene.events).hasSize(9);
    }

    @Test
    void aWorkerThatJoinsLaterGetsItsShareAndNoFurtherUnitsMove() {
        fleetScene.create(10);
        fleetScene.join("ann");
        fleetScene.advance(Duration.ofSeconds(5));

        fleetScene.join("bob");
        fleetScene.settle();

        assertThat(fleetScene.loads()).containsEntry("ann", 5).containsEntry("bob", 5);
        assertThat(fleetScene.events)
                .filteredOn(line -> line.startsWith("ann stops"))
                .hasSize(5);
        assertThat(fleetScene.events)
                .filteredOn(line -> line.startsWith("bob stops"))
                .isEmpty();
    }

    @Test
    void aWorkerThatLeavesHandsOverAllUnits() {
        fleetScene.create(10);
        fleetScene.join("ann");
        fleetScene.join("bob");
        fleetScene.settle();

        fleetScene.leave("ann");
        fleetScene.advance(Duration.ofSeconds(5));

        assertThat(fleetScene.held("bob")).hasSize(10);
        assertThat(fleetScene.events)
                .filteredOn(line -> line.startsWith("ann stops"))
                .hasSize(5);
        assertThat(fleetScene.events)
                .filteredOn(line -> line.contains("ann stops"))
                .allMatch(line -> line.endsWith("CLOSING"));
    }

    @Test
    void theUnitsOfADeadWorkerGoToOthersWithinATermAndTwoPolls() {
        fleetScene.create(12);
        fleetScene.join("ann");
        fleetScene.join("bob");
        fleetScene.join("cid");
        fleetScene.settle();

        fleetScene.kill("cid");
        fleetScene.advance(FleetScene.TERM.plus(FleetScene.POLL.multipliedBy(2)).plusSeconds(1));

        assertThat(fleetScene.held("ann")).hasSize(6);
        assertThat(fleetScene.held("bob")).hasSize(6);
    }

    @Test
    void whenThePlannerDiesAnotherPlansWithinATermAndTwoPolls() {
        fleetScene.create(12);
        fleetScene.join("ann");
        fleetScene.join("bob");
        fleetScene.join("cid");
        fleetScene.settle();
        String planner = fleetScene.fleet("bob").status().planner().orElseThrow();
        assertThat(planner).isEqualTo("ann");

        fleetScene.kill("ann");
        fleetScene.advance(FleetScene.TERM.plus(FleetScene.POLL.multipliedBy(3)).plusSeconds(1));

        assertThat(fleetScene.held("bob")).hasSize(6);
        assertThat(fleetScene.held("cid")).hasSize(6);
        assertThat(fleetScene.fleet("bob").status().planner()).isPresent().isNotEqualTo(java.util.Optional.of("ann"));
    }

    @Test
    void aDoneUnitIsNotAssigned() {
        fleetScene.create(2);
        fleetScene.join("ann");
        fleetScene.advance(Duration.ofSeconds(5));

        Unit unit = fleetScene.fleet("ann").held().get(0);
        unit.done(AttributePatch.putting("result", 42));
        fleetScene.join("bob");
        fleetScene.settle();

        assertThat(fleetScene.allHeld()).hasSize(1).doesNotContain(unit.name());
        assertThat(fleetScene.fleet("ann").status().units().done()).isEqualTo(1);
        assertThat(fleetScene.events).noneMatch(line -> line.contains("stops " + unit.name()));
    }

    @Test
    void aUnitIsAssignedWhenTheUnitsBeforeItAreDone() {
        fleetScene.units().create("parent");
        fleetScene
                .units()
                .create(
                        Set.of("child"),
                        Attributes.of("after", new AttributeValue.ListOf(List.of(AttributeValue.of("parent")))));
        fleetScene.join("ann");
        fleetScene.advance(Duration.ofSeconds(10));
        assertThat(fleetScene.held("ann")).containsExactly("parent");

        fleetScene.fleet("ann").held().get(0).done();
        fleetScene.advance(Duration.ofSeconds(10));

        assertThat(fleetScene.held("ann")).containsExactly("child");
    }

    @Test
    void unitsCreatedOrDeletedLaterAreStartedOrStopped() {
        fleetScene.create(1);
        fleetScene.join("ann");
        fleetScene.advance(Duration.ofSeconds(5));

        fleetScene.units().create("late");
        fleetScene.advance(Duration.ofSeconds(5));
        assertThat(fleetScene.held("ann")).containsExactly("late", "u0");

        assertThat(fleetScene.units().delete("late")).isTrue();
        fleetScene.advance(Duration.ofSeconds(10));
        assertThat(fleetScene.held("ann")).containsExactly("u0");
        assertThat(fleetScene.units().list()).extracting(UnitStatus::name).containsExactly("u0");
        assertThat(fleetScene.events).contains("ann stops late: MOVED");
    }
}
