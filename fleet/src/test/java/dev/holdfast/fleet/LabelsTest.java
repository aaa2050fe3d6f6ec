package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.fleet.FleetStatus.UnplacedUnits;
import dev.holdfast.fleet.FleetStatus.WorkerStatus;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LabelsTest {
    private final FleetScene fleetScene = new FleetScene();

    @AfterEach
    void close() {
        fleetScene.close();
    }

    private static Attributes with(String attribute, String label, String... values) {
        AttributeValue accepted = values.length == 1
                ? AttributeValue.of(values[0])
                : new AttributeValue.ListOf(
                        List.of(values).stream().map(AttributeValue::of).toList());
        return Attributes.of(attribute, new AttributeValue.MapOf(Map.of(label, accepted)));
    }

    private void join(String worker, String zone) {
        fleetScene.join(worker, it -> it.label("zone", zone));
    }

    private FleetStatus status() {
        return Fleet.status(fleetScene.outsider, "crew");
    }

    @Test
    void aUnitRunsOnlyOnAWorkerWithItsRequiredLabels() {
        fleetScene.units().create(List.of("u0", "u1", "u2", "u3"), with("require", "zone", "b"));
        join("ann", "a");
        join("bob", "b");
        fleetScene.settle();

        assertThat(fleetScene.held("ann")).isEmpty();
        assertThat(fleetScene.held("bob")).hasSize(4);

        fleetScene.leave("bob");
        fleetScene.settle();
        assertThat(fleetScene.held("ann")).isEmpty();
        assertThat(status().units().unplaced()).isEqualTo(4);
        assertThat(status().unplaced())
                .containsExactly(new UnplacedUnits(
                        UnplacedReason.LABELS,
                        4,
                        List.of("u0", "u1", "u2", "u3"),
                        LabelledSituation.conditions("zone=b")));

        join("cat", "b");
        fleetScene.settle();
        assertThat(fleetScene.held("cat")).hasSize(4);
        assertThat(status().unplaced()).isEmpty();
    }

    @Test
    void aUnitMovesWhenItsRequirementChanges() {
        fleetScene.create(1);
        join("ann", "a");
        fleetScene.settle();
        join("bob", "b");
        fleetScene.settle();
        assertThat(fleetScene.held("ann")).containsExactly("u0");

        AttributeValue zones = new AttributeValue.MapOf(
                Map.of("zone", new AttributeValue.ListOf(List.of(AttributeValue.of("c"), AttributeValue.of("b")))));
        assertThat(fleetScene.units().forceUpdate("u0", AttributePatch.putting("require", zones)))
                .isTrue();
        fleetScene.settle();

        assertThat(fleetScene.held("bob")).containsExactly("u0");
        assertThat(fleetScene.events).contains("ann stops u0: MOVED", "bob begins u0");
    }

    @Test
    void aWorkerRefusesAUnitThatAPlanGivesItAgainstItsLabels() {
        fleetScene.create(1);
        join("ann", "a");
        // A write without the mark: the planner knows the unit, and not its requirement.
        Lease lease = fleetScene
                .outsider
                .tryAcquire(Key.of("fleet/crew/units", "u0"), AcquireOptions.defaults())
                .orThrow();
        lease.update(
                AttributePatch.putting("require", new AttributeValue.MapOf(Map.of("zone", AttributeValue.of("b")))));
        lease.release();
        fleetScene.settle();

        assertThat(fleetScene.events).isEmpty();
        assertThat(status().unplaced()).containsExactly(new UnplacedUnits(UnplacedReason.RESTING, 1, List.of("u0")));

        join("bob", "b");
        fleetScene.settle();
        assertThat(fleetScene.held("bob")).containsExactly("u0");
        assertThat(fleetScene.events).containsExactly("bob begins u0");
    }

    @Test
    void noStrategyCanViolateARequirement() {
        fleetScene.units().create(List.of("u0"), with("require", "zone", "b"));
        fleetScene.join("ann", it -> it.strategy(situation -> new int[situation.units()]));
        fleetScene.settle();

        assertThat(fleetScene.events).isEmpty();
        assertThat(status().units().unplaced()).isEqualTo(1);
    }

    @Test
    void aRequirementIsRefusedWhileAnOlderWorkerIsJoined() {
        join("ann", "a");
        Anchor old = fleetScene.outsider.anchor("crew/old", FleetScene.TERM);
        old.update(AttributePatch.putting("capacity", 10));

        assertThatThrownBy(() -> fleetScene.units().create(List.of("u0"), with("require", "zone", "a")))
                .isInstanceOfSatisfying(
                        OldWorkersException.class,
                        refusal -> assertThat(refusal.workers()).containsExactly("old"));
        assertThat(fleetScene.units().list()).isEmpty();

        fleetScene.units().create(List.of("u0"), with("prefer", "zone", "a"));
        old.close();
        assertThat(fleetScene.units().create(List.of("u1"), with("require", "zone", "a")))
                .isEqualTo(1);
    }

    @Test
    void aUnitCannotBeMovedToAWorkerWithoutItsRequiredLabels() {
        fleetScene.units().create(List.of("u0"), with("require", "zone", "b"));
        join("ann", "a");
        join("bob", "b");
        fleetScene.settle();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fleet.control(fleetScene.outsider, "crew").move("u0", "ann", ""))
                .withMessage("worker: ann (expected: a worker with zone=b, which the unit requires)");
        assertThat(Fleet.control(fleetScene.outsider, "crew").move("u0", "bob", ""))
                .isTrue();
    }

    @Test
    void invalidConditionsAreRejected() {
        for (Attributes bad : List.of(
                Attributes.of("require", "zone=a"),
                Attributes.of("prefer", new AttributeValue.MapOf(Map.of())),
                Attributes.of("require", new AttributeValue.MapOf(Map.of("zone", AttributeValue.of(1)))),
                with("require", "zone", ""),
                with("require", "a=b", "c"),
                Attributes.NONE.with("group", 5))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> fleetScene.units().create(List.of("u0"), bad));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fleet.of(fleetScene.outsider, "crew").label("", "a"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fleet.of(fleetScene.outsider, "crew")
                        .withoutPlanner()
                        .label("zone", "a")
                        .join());
    }

    @Test
    void preferencesAreHonouredAsFarAsBalanceAllows() {
        fleetScene.units().create(List.of("u0", "u1", "u2"), with("prefer", "zone", "b"));
        fleetScene.units().create(List.of("v0", "v1", "v2"), Attributes.NONE);
        join("ann", "a");
        join("bob", "b");
        fleetScene.settle();

        assertThat(fleetScene.held("bob")).containsExactly("u0", "u1", "u2");
        assertThat(fleetScene.held("ann")).containsExactly("v0", "v1", "v2");
    }

    @Test
    void aUnitWaitsForRoomUntilAnotherMayMove() {
        fleetScene.create(1);
        fleetScene.join("ann", it -> it.label("zone", "a").maxUnits(1));
        fleetScene.settle();
        join("bob", "b");
        fleetScene.units().create(List.of("v"), with("require", "zone", "a"));
        fleetScene.advance(FleetScene.POLL.multipliedBy(2));

        assertThat(fleetScene.held("ann")).containsExactly("u0");
        assertThat(status().unplaced()).containsExactly(new UnplacedUnits(UnplacedReason.NO_ROOM, 1, List.of("v")));
        assertThat(status().workers().get(0).waiting()).isZero();

        fleetScene.settle();
        assertThat(fleetScene.held("ann")).containsExactly("v");
        assertThat(fleetScene.held("bob")).containsExactly("u0");
    }

    @Test
    void unitsAreSpreadOverZones() {
        fleetScene.create(12);
        for (String worker : List.of("ann", "bob", "cat")) {
            fleetScene.join(worker, it -> it.label("zone", "a").strategy(AssignmentStrategy.spreadOver("zone")));
        }
        fleetScene.join("dan", it -> it.label("zone", "b").strategy(AssignmentStrategy.spreadOver("zone")));
        fleetScene.settle();

        assertThat(fleetScene.loads()).isEqualTo(Map.of("ann", 2, "bob", 2, "cat", 2, "dan", 6));
    }

    @Test
    void theStatusShowsLabelsCapacityAndLoad() {
        fleetScene.create(3);
        fleetScene.join(
                "ann",
                it -> it.label("zone", "a").label("disk", "ssd").maxUnits(2).load(() -> 0.12345));
        fleetScene.settle();

        assertThat(status().workers())
                .containsExactly(new WorkerStatus(
                        "ann", 2, 0, false, true, 2, Map.of("disk", "ssd", "zone", "a"), OptionalDouble.of(0.123)));
        assertThat(status().unplaced()).containsExactly(new UnplacedUnits(UnplacedReason.NO_ROOM, 1, List.of("u2")));
    }

    @Test
    void aStrategyThatUsesLoadsPlansAgainWhenTheyChange() {
        fleetScene.create(4);
        AtomicReference<Double> load = new AtomicReference<>(0.0);
        AssignmentStrategy byLoad = situation -> {
            int best = situation.workers() > 1
                            && situation.load(0).orElse(0) > situation.load(1).orElse(0)
                    ? 1
                    : 0;
            int[] plan = new int[situation.units()];
            java.util.Arrays.fill(plan, best);
            return plan;
        };
        fleetScene.join("ann", it -> it.strategy(byLoad).load(load::get));
        fleetScene.join("bob", it -> it.strategy(byLoad).load(() -> 1));
        fleetScene.settle();
        assertThat(fleetScene.held("ann")).hasSize(4);

        load.set(2.0);
        fleetScene.settle();
        assertThat(fleetScene.held("bob")).hasSize(4);
    }
}
