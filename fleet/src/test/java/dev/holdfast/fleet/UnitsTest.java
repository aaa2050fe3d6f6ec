package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.AttributeValue;
import dev.holdfast.model.Attributes;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.testkit.FaultyStore.Calls;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnitsTest {
    private final Crew crew = new Crew();

    @AfterEach
    void close() {
        crew.close();
    }

    @Test
    void aUnitIsCreatedOnce() {
        assertThat(crew.units().create("a", "b")).isEqualTo(2);
        assertThat(crew.units().create("b", "c")).isEqualTo(1);

        assertThat(crew.units().list()).extracting(UnitStatus::name).containsExactly("a", "b", "c");
        assertThat(crew.units().list())
                .allMatch(
                        unit -> unit.state() == State.FREE && unit.attributes().isEmpty());
    }

    @Test
    void aUnitThatIsThereKeepsItsAttributes() {
        crew.units().create(List.of("a"), Attributes.of("color", "red"));
        crew.units().create(List.of("a"), Attributes.of("color", "blue"));

        assertThat(crew.units().list())
                .extracting(UnitStatus::attributes)
                .containsExactly(Attributes.of("color", "red"));
    }

    @Test
    void aUnitThatIsToWaitForOneThatIsNotThereIsRefused() {
        crew.units().create("extract", "load");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> crew.units().create(List.of("merge"), after("extract", "laod")))
                .withMessage("after: laod (expected: units of fleet crew, created before those that wait for them)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> crew.units().create(List.of("a", "merge"), after("merge")))
                .withMessage("after: merge (expected: a unit other than those that wait for it)");
        assertThat(crew.units().list()).extracting(UnitStatus::name).containsExactly("extract", "load");

        crew.units().create(List.of("merge"), after("extract", "load"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> crew.units().forceUpdate("merge", AttributePatch.putting("after", names("laod"))));
    }

    @Test
    void aUnitThatIsThereMayBeCreatedAgainThoughThoseBeforeItWereDeleted() {
        crew.units().create("load");
        crew.units().create(List.of("merge"), after("load"));
        crew.units().delete("load");

        assertThat(crew.units().create(List.of("merge"), after("load"))).isZero();
    }

    private static Attributes after(String... units) {
        return Attributes.of("after", names(units));
    }

    private static AttributeValue names(String... units) {
        return new AttributeValue.TextSet(java.util.Set.of(units));
    }

    @Test
    void badAttributesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> crew.units().create(List.of("a"), Attributes.NONE.with("weight", 0)))
                .withMessage("weight: 0 (expected: a number > 0)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> crew.units().create(List.of("a"), Attributes.of("after", "b")))
                .withMessageContaining("a list of names of units");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> crew.units().create(List.of("a"), Attributes.of("~unit", "b")))
                .withMessageContaining("one that does not begin with ~");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fleet.of(crew.outsider, "a/b"))
                .withMessage("fleet: a/b (expected: no slash)");
    }

    @Test
    void whoeverHasAUnitWritesCheckpointsAndTheNextReadsThem() {
        crew.create(1);
        crew.join("ann");
        crew.advance(Duration.ofSeconds(5));
        Unit unit = crew.fleet("ann").held().get(0);
        unit.update(AttributePatch.replaceWith(Attributes.NONE.with("offset", 42)));
        crew.join("bob");

        crew.leave("ann");
        crew.advance(Duration.ofSeconds(5));

        assertThat(crew.fleet("bob").held()).singleElement().satisfies(next -> {
            assertThat(next.attributes()).isEqualTo(Attributes.NONE.with("offset", 42));
            assertThat(next.fence().isAbove(unit.fence())).isTrue();
        });
        assertThat(unit.updateAsync(AttributePatch.putting("offset", 43))).isCompletedExceptionally();
    }

    @Test
    void anybodyMayForceAnUpdateWhoeverHasTheUnit() {
        crew.create(1);
        assertThat(crew.units().forceUpdate("u0", AttributePatch.putting("a", 1)))
                .isTrue();
        crew.join("ann");
        crew.advance(Duration.ofSeconds(5));
        assertThat(crew.held("ann")).containsExactly("u0");

        assertThat(crew.units().forceUpdate("u0", AttributePatch.putting("b", 2)))
                .isTrue();
        assertThat(crew.units().forceUpdate("nothing", AttributePatch.putting("b", 2)))
                .isFalse();

        assertThat(crew.units().list())
                .extracting(UnitStatus::attributes)
                .containsExactly(Attributes.NONE.with("a", 1).with("b", 2));
        assertThat(crew.fleet("ann").held().get(0).isHeld()).isTrue();
    }

    @Test
    void aUnitThatIsDeletedWhileItIsHeldIsGoneWhenItsWorkerHasStopped() {
        crew.create(2);
        crew.join("ann");
        crew.advance(Duration.ofSeconds(5));

        assertThat(crew.units().delete("u0")).isTrue();
        assertThat(crew.units().list())
                .filteredOn(UnitStatus::deleting)
                .extracting(UnitStatus::name)
                .containsExactly("u0");
        crew.advance(Duration.ofSeconds(8));

        assertThat(crew.units().list()).extracting(UnitStatus::name).containsExactly("u1");
        assertThat(crew.units().delete("u0")).isFalse();
        assertThat(crew.outsider
                        .get(Key.of("fleet/crew/units", "u0"))
                        .orElseThrow()
                        .isHeld())
                .isFalse();
    }

    @Test
    void aUnitThatIsCreatedAgainBeforeItIsGoneStays() {
        crew.create(1);
        crew.join("ann");
        crew.advance(Duration.ofSeconds(5));

        crew.units().delete("u0");
        assertThat(crew.units().create("u0")).isEqualTo(1);
        crew.settle();

        assertThat(crew.held("ann")).containsExactly("u0");
        assertThat(crew.units().list()).noneMatch(UnitStatus::deleting);
    }

    @Test
    void aDoneUnitThatIsReopenedIsWorkedOnAgain() {
        crew.create(1);
        crew.join("ann");
        crew.advance(Duration.ofSeconds(5));
        crew.fleet("ann").held().get(0).done();
        crew.advance(Duration.ofSeconds(10));
        assertThat(crew.held("ann")).isEmpty();

        assertThat(crew.units().reopen("u0")).isTrue();
        crew.advance(Duration.ofSeconds(10));

        assertThat(crew.held("ann")).containsExactly("u0");
    }

    @Test
    void aWorkerTakesNoMoreThanItMay() {
        crew.create(10);
        crew.join("ann", it -> it.maxUnits(2));
        crew.join("bob");
        crew.settle();

        assertThat(crew.loads()).containsEntry("ann", 2).containsEntry("bob", 8);

        crew.leave("bob");
        crew.settle();
        assertThat(crew.held("ann")).hasSize(2);
        assertThat(crew.fleet("ann").status().units().unplaced()).isEqualTo(8);
    }

    @Test
    void unitsAreSpreadByWeight() {
        crew.units().create(Set.of("heavy"), Attributes.NONE.with("weight", 5));
        crew.create(5);
        crew.join("ann", it -> it.strategy(Strategy.byWeight()));
        crew.join("bob", it -> it.strategy(Strategy.byWeight()));
        crew.settle();

        String loaded = crew.held("ann").contains("heavy") ? "ann" : "bob";
        assertThat(crew.held(loaded)).containsExactly("heavy");
    }

    @Test
    void aWorkerWithMoreUnitsThanOneEntryHoldsGetsThemAll() {
        crew.create(1203);
        crew.join("ann");
        crew.advance(Duration.ofSeconds(10));
        assertThat(crew.held("ann")).hasSize(1203);

        crew.join(
                "bob", it -> it.options(FleetOptions.defaults().term(Crew.TERM).maxMoves(1000)));
        crew.settle();
        assertThat(crew.loads()).containsEntry("ann", 602).containsEntry("bob", 601);
    }

    @Test
    void unitsOnTheirWayAreNoMoreThanMayBe() {
        crew.create(40);
        crew.join(
                "ann", it -> it.options(FleetOptions.defaults().term(Crew.TERM).maxMoves(3)));
        crew.advance(Duration.ofSeconds(5));
        crew.join("bob");
        int before = 0;
        for (int i = 0; i < 120; i++) {
            crew.advance(Duration.ofSeconds(1));
            int now = crew.held("bob").size();
            assertThat(now - before).isLessThanOrEqualTo(3);
            before = now;
        }
        assertThat(crew.loads()).containsEntry("ann", 20).containsEntry("bob", 20);
    }

    /** As when the mark was idle for a week and was cleaned up: its grants are counted from the beginning then. */
    @Test
    void aUnitIsFoundThoughTheMarkWasRemovedMeanwhile() {
        crew.create(1);
        crew.join("ann");
        crew.advance(Duration.ofSeconds(5));

        crew.outsider.delete(Key.of("fleet/crew", "units"));
        crew.units().create("late");
        crew.advance(Duration.ofSeconds(5));

        assertThat(crew.held("ann")).containsExactly("late", "u0");
    }

    @Test
    void whatAFleetAsksTheStoreAtRestGrowsWithItsWorkersNotWithItsUnits() {
        crew.create(300);
        for (String worker : List.of("ann", "bob", "cid", "dan")) {
            crew.join(
                    worker,
                    it -> it.options(FleetOptions.defaults().term(Crew.TERM).maxMoves(1000)));
        }
        crew.settle();
        crew.settle();
        Calls before = total();

        crew.advance(Crew.TERM.multipliedBy(10));

        Calls calls = total().since(before);
        // Per worker and term: three heartbeats; per poll two reads; and the planner's round, and two that stand by.
        int polls = 4 * 10 * 5;
        assertThat(calls.changes()).isBetween(4 * 10 * 3, 4 * 10 * 4 + 60);
        // Two marks and four anchors, each by itself, as a store without threads gets no batches.
        int looks = 3 * 10 * 5;
        assertThat(calls.reads()).isLessThanOrEqualTo((polls * 2 + looks * (2 + 4)) * 12 / 10);
        assertThat(calls.scans()).isZero();
    }

    private Calls total() {
        Calls sum = new Calls(0, 0, 0, 0);
        for (String worker : List.of("ann", "bob", "cid", "dan")) {
            Calls calls = crew.store(worker).calls();
            sum = new Calls(
                    sum.applies() + calls.applies(),
                    sum.changes() + calls.changes(),
                    sum.reads() + calls.reads(),
                    sum.scans() + calls.scans());
        }
        return sum;
    }
}
