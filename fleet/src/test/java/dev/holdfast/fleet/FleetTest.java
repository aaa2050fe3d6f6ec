package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Attributes;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FleetTest {
    private final Crew crew = new Crew();

    @AfterEach
    void close() {
        crew.close();
    }

    @Test
    void oneWorkerGetsAllThereIs() {
        crew.create(7);
        crew.join("ann");

        crew.advance(Duration.ofSeconds(5));

        assertThat(crew.loads()).containsEntry("ann", 7);
        assertThat(crew.told).hasSize(7).allMatch(line -> line.startsWith("ann begins"));
    }

    @Test
    void whoStartsTogetherSharesFromTheBeginning() {
        crew.create(9);
        crew.join("ann");
        crew.join("bob");
        crew.join("cid");

        crew.advance(Duration.ofSeconds(6));

        assertThat(crew.loads().values()).containsOnly(3);
        assertThat(crew.told).hasSize(9);
    }

    @Test
    void oneWhoComesLaterIsGivenItsShareAndNoMoreIsMoved() {
        crew.create(10);
        crew.join("ann");
        crew.advance(Duration.ofSeconds(5));

        crew.join("bob");
        crew.settle();

        assertThat(crew.loads()).containsEntry("ann", 5).containsEntry("bob", 5);
        assertThat(crew.told).filteredOn(line -> line.startsWith("ann stops")).hasSize(5);
        assertThat(crew.told).filteredOn(line -> line.startsWith("bob stops")).isEmpty();
    }

    @Test
    void oneWhoLeavesHandsOverEverything() {
        crew.create(10);
        crew.join("ann");
        crew.join("bob");
        crew.settle();

        crew.leave("ann");
        crew.advance(Duration.ofSeconds(5));

        assertThat(crew.held("bob")).hasSize(10);
        assertThat(crew.told).filteredOn(line -> line.startsWith("ann stops")).hasSize(5);
        assertThat(crew.told).filteredOn(line -> line.contains("ann stops")).allMatch(line -> line.endsWith("CLOSING"));
    }

    @Test
    void theUnitsOfOneWhoDiesGoToOthersWithinATermAndTwoPolls() {
        crew.create(12);
        crew.join("ann");
        crew.join("bob");
        crew.join("cid");
        crew.settle();

        crew.kill("cid");
        crew.advance(Crew.TERM.plus(Crew.POLL.multipliedBy(2)).plusSeconds(1));

        assertThat(crew.held("ann")).hasSize(6);
        assertThat(crew.held("bob")).hasSize(6);
    }

    @Test
    void whenThePlannerDiesAnotherPlansWithinATermAndTwoPolls() {
        crew.create(12);
        crew.join("ann");
        crew.join("bob");
        crew.join("cid");
        crew.settle();
        String planner = crew.fleet("bob").status().planner().orElseThrow();
        assertThat(planner).isEqualTo("ann");

        crew.kill("ann");
        crew.advance(Crew.TERM.plus(Crew.POLL.multipliedBy(3)).plusSeconds(1));

        assertThat(crew.held("bob")).hasSize(6);
        assertThat(crew.held("cid")).hasSize(6);
        assertThat(crew.fleet("bob").status().planner()).isPresent().isNotEqualTo(java.util.Optional.of("ann"));
    }

    @Test
    void aFinishedUnitIsNotGivenToAnybody() {
        crew.create(2);
        crew.join("ann");
        crew.advance(Duration.ofSeconds(5));

        Unit unit = crew.fleet("ann").held().get(0);
        unit.done(AttributePatch.putting("result", 42));
        crew.join("bob");
        crew.settle();

        assertThat(crew.allHeld()).hasSize(1).doesNotContain(unit.name());
        assertThat(crew.fleet("ann").status().units().done()).isEqualTo(1);
        assertThat(crew.told).noneMatch(line -> line.contains("stops " + unit.name()));
    }

    @Test
    void aUnitOpensWhenThoseBeforeItAreDone() {
        crew.units().create("parent");
        crew.units()
                .create(
                        Set.of("child"),
                        Attributes.of("after", new dev.holdfast.model.AttributeValue.TextSet(Set.of("parent"))));
        crew.join("ann");
        crew.advance(Duration.ofSeconds(10));
        assertThat(crew.held("ann")).containsExactly("parent");

        crew.fleet("ann").held().get(0).done();
        crew.advance(Duration.ofSeconds(10));

        assertThat(crew.held("ann")).containsExactly("child");
    }

    @Test
    void aUnitThatIsCreatedOrDeletedLaterComesAndGoes() {
        crew.create(1);
        crew.join("ann");
        crew.advance(Duration.ofSeconds(5));

        crew.units().create("late");
        crew.advance(Duration.ofSeconds(5));
        assertThat(crew.held("ann")).containsExactly("late", "u0");

        assertThat(crew.units().delete("late")).isTrue();
        crew.advance(Duration.ofSeconds(10));
        assertThat(crew.held("ann")).containsExactly("u0");
        assertThat(crew.units().list()).extracting(UnitStatus::name).containsExactly("u0");
        assertThat(crew.told).contains("ann stops late: MOVED");
    }
}
