package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.ControlState.ControlNote;
import dev.holdfast.fleet.ControlState.UnitMove;
import dev.holdfast.fleet.FleetControl.DrainProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Orders of operators, and how the planner follows them. */
class FleetControlTest {
    private final FleetScene fleetScene = new FleetScene();
    private final FleetControl control = Fleet.control(fleetScene.outsider, "crew");

    @AfterEach
    void close() {
        fleetScene.close();
    }

    private void begin(int units, String... workers) {
        fleetScene.create(units);
        List.of(workers).forEach(fleetScene::join);
        fleetScene.settle();
    }

    private FleetStatus status() {
        return Fleet.status(fleetScene.outsider, "crew");
    }

    private String planner() {
        return status().planner().orElseThrow();
    }

    @Test
    void aPausedUnitIsStoppedAndHasNoWorkerUntilItIsResumed() {
        begin(4, "ann", "bob");

        assertThat(control.pause(List.of("u0", "u1"), "bad shard")).containsExactlyInAnyOrder("u0", "u1");
        assertThat(control.pause(List.of("u1", "u2"), "again")).containsExactly("u2");
        fleetScene.settle();

        assertThat(fleetScene.allHeld()).containsExactly("u3");
        assertThat(fleetScene.events).anyMatch(line -> line.endsWith("stops u0: MOVED"));
        assertThat(status().units().paused()).isEqualTo(3);
        assertThat(status().units().unplaced()).isZero();

        assertThat(control.resume(List.of("u0", "u1", "u3"), "fixed")).containsExactly("u0", "u1");
        fleetScene.settle();
        assertThat(fleetScene.allHeld()).containsExactly("u0", "u1", "u3");
    }

    @Test
    void aPauseOutlivesEveryWorker() {
        begin(2, "ann", "bob");
        control.pause(List.of("u0"), "");
        fleetScene.kill("ann");
        fleetScene.kill("bob");
        fleetScene.advance(Duration.ofHours(1));

        fleetScene.join("cid");
        fleetScene.settle();

        assertThat(fleetScene.held("cid")).containsExactly("u1");
    }

    @Test
    void anOrderNamesItsReasonItsClientAndItsTime() {
        begin(1, "ann");
        Instant now = fleetScene.runtime.now();

        control.pause(List.of("u0"), "bad shard");
        control.drain("gone", "old machine");
        control.freeze("incident");
        control.move("u0", "ann", "bigger machine");

        ControlState state = status().control();
        assertThat(state.paused()).containsOnly(Map.entry("u0", new ControlNote("bad shard", "outsider", now)));
        assertThat(state.drained()).containsOnly(Map.entry("gone", new ControlNote("old machine", "outsider", now)));
        assertThat(state.freeze()).contains(new ControlNote("incident", "outsider", now));
        assertThat(state.moves())
                .containsOnly(Map.entry("u0", new UnitMove("ann", new ControlNote("bigger machine", "outsider", now))));
        assertThat(control.state()).isEqualTo(state);

        control.resume(List.of("u0"), "");
        assertThat(control.undrain("gone", "")).isTrue();
        assertThat(control.undrain("gone", "")).isFalse();
        assertThat(control.thaw("")).isTrue();
        assertThat(control.thaw("")).isFalse();
        assertThat(control.cancelMove("u0", "")).isTrue();
        assertThat(control.cancelMove("u0", "")).isFalse();
        assertThat(control.state()).isEqualTo(ControlState.NONE);
    }

    @Test
    void ordersAndPausedUnitsSurviveEveryCleanUp() {
        begin(2, "ann");
        control.pause(List.of("u0"), "");
        control.freeze("");
        fleetScene.settle();
        fleetScene.kill("ann");

        fleetScene.advance(Duration.ofDays(30));
        fleetScene.outsider.cleanUp(CleanUpOptions.idle(1000).doneOlderThan(Duration.ofDays(1)));

        assertThat(control.state().paused()).containsKey("u0");
        assertThat(control.state().freeze()).isPresent();
        assertThat(fleetScene.units().list()).extracting(UnitStatus::name).containsExactly("u0", "u1");
    }

    @Test
    void aDeletedUnitIsNoLongerPaused() {
        begin(1, "ann");
        control.pause(List.of("u0"), "");
        control.move("u0", "ann", "");
        fleetScene.settle();

        fleetScene.units().delete("u0");

        assertThat(control.state()).isEqualTo(ControlState.NONE);
        assertThat(fleetScene.outsider.get(Key.of("fleet/crew/control/paused", "u0")))
                .map(LeaseStatus::state)
                .contains(LeaseState.FREE);
        fleetScene.units().create("u0");
        fleetScene.settle();
        assertThat(fleetScene.held("ann")).containsExactly("u0");
    }

    @Test
    void unknownUnitsAndWorkersAreRejected() {
        begin(1, "ann");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> control.pause(List.of("u0", "u7"), ""))
                .withMessage("unit: u7 (expected: units of fleet crew)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> control.move("u0", "bob", ""))
                .withMessage("worker: bob (expected: a worker that is joined: ann)");
        control.drain("ann", "");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> control.move("u0", "ann", ""))
                .withMessage("worker: ann (expected: a worker that is not drained)");
        assertThat(control.state().paused()).isEmpty();
    }

    @Test
    void aDrainedWorkerHandsOverItsUnitsAFewAtATimeAndGetsNoMore() {
        fleetScene.create(6);
        for (String worker : List.of("ann", "bob")) {
            fleetScene.join(
                    worker,
                    builder ->
                            builder.options(FleetOptions.defaults().maxMoves(1).revokeDeadline(Duration.ofMinutes(1))));
        }
        fleetScene.settle();
        assertThat(fleetScene.loads()).containsEntry("ann", 3);

        control.drain("ann", "");
        int most = 0;
        for (int left = 3; !control.drainProgress("ann").empty(); ) {
            fleetScene.advance(Duration.ofMillis(500));
            int now = fleetScene.held("ann").size();
            most = Math.max(most, left - now);
            left = now;
        }

        assertThat(most).as("units that moved at once").isEqualTo(1);
        assertThat(fleetScene.loads()).containsEntry("ann", 0).containsEntry("bob", 6);
        fleetScene.units().create("more");
        fleetScene.settle();
        assertThat(fleetScene.loads()).containsEntry("ann", 0).containsEntry("bob", 7);
        control.undrain("ann", "");
        fleetScene.settle();
        assertThat(fleetScene.loads().values()).containsExactlyInAnyOrder(3, 4);
    }

    @Test
    void theLastWorkerKeepsItsUnitsWhileItIsDrainedAndTheStatusSaysWhy() {
        begin(2, "ann");

        control.drain("ann", "");
        fleetScene.settle();

        assertThat(fleetScene.held("ann")).containsExactly("u0", "u1");
        assertThat(status().units().unplaced()).isEqualTo(2);
        assertThat(status().unplaced())
                .containsExactly(new FleetStatus.UnplacedUnits(UnplacedReason.ALL_DRAINING, 2, List.of("u0", "u1")));
        assertThat(control.drainProgress("ann")).isEqualTo(new DrainProgress(true, 2, false));

        fleetScene.join("bob", builder -> builder.maxUnits(1));
        fleetScene.settle();
        assertThat(fleetScene.loads()).containsEntry("ann", 1).containsEntry("bob", 1);
        assertThat(status().unplaced())
                .singleElement()
                .extracting(FleetStatus.UnplacedUnits::reason)
                .isEqualTo(UnplacedReason.NO_ROOM);
    }

    @Test
    void inAFrozenFleetOnlyUnitsOfDeadAndLeavingWorkersMove() {
        begin(6, "ann", "bob");
        Set<String> before = fleetScene.held("ann");
        control.freeze("");
        fleetScene.join("cid");
        control.drain("ann", "");
        fleetScene.settle();
        assertThat(fleetScene.held("ann")).isEqualTo(before);
        assertThat(fleetScene.loads()).containsEntry("cid", 0);

        fleetScene.kill("bob");
        fleetScene.settle();
        assertThat(fleetScene.held("ann")).isEqualTo(before);
        assertThat(fleetScene.loads()).containsEntry("cid", 3);

        control.pause(before, "a pause works nevertheless");
        fleetScene.settle();
        assertThat(fleetScene.held("ann")).isEmpty();
        control.resume(before, "");
        control.undrain("ann", "");
        control.thaw("");
        fleetScene.settle();
        assertThat(fleetScene.loads()).containsEntry("ann", 3).containsEntry("cid", 3);
    }

    @Test
    void aMovedUnitStaysWithItsWorkerAndTheFleetStaysBalanced() {
        begin(6, "ann", "bob");
        String unit = fleetScene.held("ann").iterator().next();
        int events = fleetScene.events.size();

        assertThat(control.move(unit, "bob", "")).isTrue();
        assertThat(control.move(unit, "bob", "")).isFalse();
        fleetScene.settle();

        assertThat(fleetScene.held("bob")).contains(unit);
        assertThat(fleetScene.loads()).containsEntry("ann", 3).containsEntry("bob", 3);
        assertThat(fleetScene.events.subList(events, fleetScene.events.size()))
                .as("one unit moves, and another in exchange")
                .hasSize(4);
        fleetScene.join("cid");
        fleetScene.settle();
        assertThat(fleetScene.held("bob")).contains(unit);
        control.move(unit, "cid", "elsewhere");
        fleetScene.settle();
        assertThat(fleetScene.held("cid")).contains(unit);
    }

    @Test
    void aMoveEndsWithItsWorker() {
        begin(4, "ann", "bob");
        control.move("u0", "ann", "");
        control.move("u1", "ann", "");
        control.move("u2", "ann", "");
        fleetScene.settle();
        assertThat(fleetScene.held("ann")).contains("u0", "u1", "u2");

        fleetScene.leave("ann");
        fleetScene.settle();
        assertThat(fleetScene.loads()).containsEntry("bob", 4);
        assertThat(control.state().moves()).isEmpty();
    }

    @Test
    void ordersAreRefusedWhileAnOldWorkerIsJoinedAndCanStillBeRevoked() {
        begin(2, "ann");
        control.pause(List.of("u0"), "");
        Anchor old = fleetScene.outsider.anchor("crew/old", FleetScene.TERM);
        old.update(AttributePatch.putting("held", 0).put("capacity", 0).put("notice", true));

        assertThatExceptionOfType(OldWorkersException.class)
                .isThrownBy(() -> control.freeze(""))
                .withMessageContaining("older version")
                .satisfies(e -> assertThat(e.workers()).containsExactly("old"));
        assertThatExceptionOfType(OldWorkersException.class).isThrownBy(() -> control.pause(List.of("u1"), ""));
        assertThatExceptionOfType(OldWorkersException.class).isThrownBy(() -> control.drain("ann", ""));
        assertThatExceptionOfType(OldWorkersException.class).isThrownBy(() -> control.move("u1", "ann", ""));
        assertThat(status().oldWorkers()).containsExactly("old");

        assertThat(control.resume(List.of("u0"), "")).containsExactly("u0");
    }

    @Test
    void aFleetWithoutAPlannerTakesNoOrders() {
        fleetScene.create(1);
        Fleet loose = fleetScene.join("ann", builder -> builder.withoutPlanner("loose"));

        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(loose::control)
                .withMessageContaining("runs without a planner");
    }

    @Test
    void aNewPlannerFollowsOrdersThatItDidNotSeeGiven() {
        begin(6, "ann", "bob", "cid", "dan");
        control.pause(List.of("u0", "u1"), "");
        control.freeze("");
        fleetScene.settle();
        for (int i = 0; i < 2; i++) {
            fleetScene.kill(planner());
            fleetScene.settle();
        }

        fleetScene.join("eve");
        fleetScene.settle();

        assertThat(fleetScene.allHeld()).containsExactly("u2", "u3", "u4", "u5");
        assertThat(fleetScene.loads()).containsEntry("eve", 0);
    }
}
