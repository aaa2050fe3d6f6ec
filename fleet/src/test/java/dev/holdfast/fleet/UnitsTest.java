package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AttributePatch;
import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.testkit.FaultyStore.Calls;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnitsTest {
    private final FleetScene fleetScene = new FleetScene();

    @AfterEach
    void close() {
        fleetScene.close();
    }

    @Test
    void aUnitIsCreatedOnce() {
        assertThat(fleetScene.units().create("a", "b")).isEqualTo(2);
        assertThat(fleetScene.units().create("b", "c")).isEqualTo(1);

        assertThat(fleetScene.units().list()).extracting(UnitStatus::name).containsExactly("a", "b", "c");
        assertThat(fleetScene.units().list())
                .allMatch(unit ->
                        unit.state() == LeaseState.FREE && unit.attributes().isEmpty());
    }

    @Test
    void anExistingUnitKeepsItsAttributes() {
        fleetScene.units().create(List.of("a"), Attributes.of("color", "red"));
        fleetScene.units().create(List.of("a"), Attributes.of("color", "blue"));

        assertThat(fleetScene.units().list())
                .extracting(UnitStatus::attributes)
                .containsExactly(Attributes.of("color", "red"));
    }

    @Test
    void aUnitThatWaitsForAMissingOneIsRejected() {
        fleetScene.units().create("extract", "load");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> fleetScene.units().create(List.of("merge"), after("extract", "laod")))
                .withMessage(
                        "after: laod (expected: units of fleet crew, created before the units that wait for them)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fleetScene.units().create(List.of("a", "merge"), after("merge")))
                .withMessage("after: merge (expected: a unit other than the ones that wait for it)");
        assertThat(fleetScene.units().list()).extracting(UnitStatus::name).containsExactly("extract", "load");

        fleetScene.units().create(List.of("merge"), after("extract", "load"));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> fleetScene.units().forceUpdate("merge", AttributePatch.putting("after", names("laod"))));
    }

    @Test
    void anExistingUnitMayBeCreatedAgainAfterTheUnitsBeforeItWereDeleted() {
        fleetScene.units().create("load");
        fleetScene.units().create(List.of("merge"), after("load"));
        fleetScene.units().delete("load");

        assertThat(fleetScene.units().create(List.of("merge"), after("load"))).isZero();
    }

    private static Attributes after(String... units) {
        return Attributes.of("after", names(units));
    }

    private static AttributeValue names(String... units) {
        return new AttributeValue.ListOf(
                java.util.Arrays.stream(units).map(AttributeValue::of).toList());
    }

    @Test
    void invalidAttributesAreRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fleetScene.units().create(List.of("a"), Attributes.NONE.with("weight", 0)))
                .withMessage("weight: 0 (expected: a number > 0)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fleetScene.units().create(List.of("a"), Attributes.of("after", "b")))
                .withMessageContaining("a list of names of units");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fleetScene.units().create(List.of("a"), Attributes.of("~unit", "b")))
                .withMessageContaining("one that does not begin with ~");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fleet.of(fleetScene.outsider, "a/b"))
                .withMessage("fleet: a/b (expected: no slash)");
    }

    @Test
    void aWorkerWritesCheckpointsAndTheNextOneReadsThem() {
        fleetScene.create(1);
        fleetScene.join("ann");
        fleetScene.advance(Duration.ofSeconds(5));
        Unit unit = fleetScene.fleet("ann").held().get(0);
        unit.update(AttributePatch.replaceWith(Attributes.NONE.with("offset", 42)));
        fleetScene.join("bob");

        fleetScene.leave("ann");
        fleetScene.advance(Duration.ofSeconds(5));

        assertThat(fleetScene.fleet("bob").held()).singleElement().satisfies(next -> {
            assertThat(next.attributes()).isEqualTo(Attributes.NONE.with("offset", 42));
            assertThat(next.fence().isAbove(unit.fence())).isTrue();
        });
        assertThat(unit.updateAsync(AttributePatch.putting("offset", 43))).isCompletedExceptionally();
    }

    @Test
    void anyClientMayForceAnUpdateOfAHeldUnit() {
        fleetScene.create(1);
        assertThat(fleetScene.units().forceUpdate("u0", AttributePatch.putting("a", 1)))
                .isTrue();
        fleetScene.join("ann");
        fleetScene.advance(Duration.ofSeconds(5));
        assertThat(fleetScene.held("ann")).containsExactly("u0");

        assertThat(fleetScene.units().forceUpdate("u0", AttributePatch.putting("b", 2)))
                .isTrue();
        assertThat(fleetScene.units().forceUpdate("nothing", AttributePatch.putting("b", 2)))
                .isFalse();

        assertThat(fleetScene.units().list())
                .extracting(UnitStatus::attributes)
                .containsExactly(Attributes.NONE.with("a", 1).with("b", 2));
        assertThat(fleetScene.fleet("ann").held().get(0).isHeld()).isTrue();
    }

    @Test
    void aUnitDeletedWhileHeldIsGoneWhenItsWorkerHasStopped() {
        fleetScene.create(2);
        fleetScene.join("ann");
        fleetScene.advance(Duration.ofSeconds(5));

        assertThat(fleetScene.units().delete("u0")).isTrue();
        assertThat(fleetScene.units().list())
                .filteredOn(UnitStatus::deleting)
                .extracting(UnitStatus::name)
                .containsExactly("u0");
        fleetScene.advance(Duration.ofSeconds(8));

        assertThat(fleetScene.units().list()).extracting(UnitStatus::name).containsExactly("u1");
        assertThat(fleetScene.units().delete("u0")).isFalse();
        assertThat(fleetScene
                        .outsider
                        .get(Key.of("fleet/crew/units", "u0"))
                        .orElseThrow()
                        .isHeld())
                .isFalse();
    }

    @Test
    void aUnitCreatedAgainBeforeItIsGoneStays() {
        fleetScene.create(1);
        fleetScene.join("ann");
        fleetScene.advance(Duration.ofSeconds(5));

        fleetScene.units().delete("u0");
        assertThat(fleetScene.units().create("u0")).isEqualTo(1);
        fleetScene.settle();

        assertThat(fleetScene.held("ann")).containsExactly("u0");
        assertThat(fleetScene.units().list()).noneMatch(UnitStatus::deleting);
    }

    @Test
    void aReopenedUnitIsStartedAgain() {
        fleetScene.create(1);
        fleetScene.join("ann");
        fleetScene.advance(Duration.ofSeconds(5));
        fleetScene.fleet("ann").held().get(0).done();
        fleetScene.advance(Duration.ofSeconds(10));
        assertThat(fleetScene.held("ann")).isEmpty();

        assertThat(fleetScene.units().reopen("u0")).isTrue();
        fleetScene.advance(Duration.ofSeconds(10));

        assertThat(fleetScene.held("ann")).containsExactly("u0");
    }

    @Test
    void aWorkerTakesNoMoreUnitsThanItsCapacity() {
        fleetScene.create(10);
        fleetScene.join("ann", it -> it.maxUnits(2));
        fleetScene.join("bob");
        fleetScene.settle();

        assertThat(fleetScene.loads()).containsEntry("ann", 2).containsEntry("bob", 8);

        fleetScene.leave("bob");
        fleetScene.settle();
        assertThat(fleetScene.held("ann")).hasSize(2);
        assertThat(fleetScene.fleet("ann").status().units().unplaced()).isEqualTo(8);
    }

    @Test
    void unitsAreSpreadByWeight() {
        fleetScene.units().create(Set.of("heavy"), Attributes.NONE.with("weight", 5));
        fleetScene.create(5);
        fleetScene.join("ann", it -> it.strategy(AssignmentStrategy.byWeight()));
        fleetScene.join("bob", it -> it.strategy(AssignmentStrategy.byWeight()));
        fleetScene.settle();

        String loaded = fleetScene.held("ann").contains("heavy") ? "ann" : "bob";
        assertThat(fleetScene.held(loaded)).containsExactly("heavy");
    }

    @Test
    void aWorkerGetsMoreUnitsThanOneEntryHolds() {
        fleetScene.create(1203);
        fleetScene.join("ann");
        fleetScene.advance(Duration.ofSeconds(10));
        assertThat(fleetScene.held("ann")).hasSize(1203);

        fleetScene.join(
                "bob",
                it -> it.options(FleetOptions.defaults().term(FleetScene.TERM).maxMoves(1000)));
        fleetScene.settle();
        assertThat(fleetScene.loads()).containsEntry("ann", 602).containsEntry("bob", 601);
    }

    @Test
    void unitsBeingMovedDoNotExceedTheLimit() {
        fleetScene.create(40);
        fleetScene.join(
                "ann",
                it -> it.options(FleetOptions.defaults().term(FleetScene.TERM).maxMoves(3)));
        fleetScene.advance(Duration.ofSeconds(5));
        fleetScene.join("bob");
        int before = 0;
        for (int i = 0; i < 120; i++) {
            fleetScene.advance(Duration.ofSeconds(1));
            int now = fleetScene.held("bob").size();
            assertThat(now - before).isLessThanOrEqualTo(3);
            before = now;
        }
        assertThat(fleetScene.loads()).containsEntry("ann", 20).containsEntry("bob", 20);
    }

    /** As after a clean-up of a mark that was idle for a week: its number of grants restarts. */
    @Test
    void aUnitIsFoundAlthoughTheMarkWasRemoved() {
        fleetScene.create(1);
        fleetScene.join("ann");
        fleetScene.advance(Duration.ofSeconds(5));

        fleetScene.outsider.delete(Key.of("fleet/crew", "units"));
        fleetScene.units().create("late");
        fleetScene.advance(Duration.ofSeconds(5));

        assertThat(fleetScene.held("ann")).containsExactly("late", "u0");
    }

    @Test
    void theStoreCallsOfAnIdleFleetGrowWithItsWorkersNotWithItsUnits() {
        fleetScene.create(300);
        for (String worker : List.of("ann", "bob", "cid", "dan")) {
            fleetScene.join(
                    worker,
                    it -> it.options(
                            FleetOptions.defaults().term(FleetScene.TERM).maxMoves(1000)));
        }
        fleetScene.settle();
        fleetScene.settle();
        Calls before = total();

        fleetScene.advance(FleetScene.TERM.multipliedBy(10));

        Calls calls = total().since(before);
        // Per worker and term three heartbeats, and per poll two reads. In addition, the rounds of the planner and of
        // two standbys.
        int polls = 4 * 10 * 5;
        assertThat(calls.changes()).isBetween(4 * 10 * 3, 4 * 10 * 4 + 60);
        // Two marks and four anchors, each read separately, because a store without threads gets no batches.
        int rounds = 3 * 10 * 5;
        assertThat(calls.reads()).isLessThanOrEqualTo((polls * 2 + rounds * (2 + 4)) * 12 / 10);
        assertThat(calls.scans()).isZero();
    }

    private Calls total() {
        Calls sum = new Calls(0, 0, 0, 0);
        for (String worker : List.of("ann", "bob", "cid", "dan")) {
            Calls calls = fleetScene.store(worker).calls();
            sum = new Calls(
                    sum.applies() + calls.applies(),
                    sum.changes() + calls.changes(),
                    sum.reads() + calls.reads(),
                    sum.scans() + calls.scans());
        }
        return sum;
    }
}
