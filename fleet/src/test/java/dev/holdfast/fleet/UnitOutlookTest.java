package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.fleet.UnitOutlook.Standing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The planner's view of a unit, as any process reads it. */
class UnitOutlookTest {
    private final FleetScene fleetScene = new FleetScene();
    private final FleetControl control = Fleet.control(fleetScene.outsider, "crew");

    @AfterEach
    void close() {
        fleetScene.close();
    }

    private UnitOutlook outlook(String unit) {
        return control.outlook(unit);
    }

    @Test
    void aUnitIsHeldOrAssignedOrUnknown() {
        fleetScene.create(1);
        assertThat(outlook("u0").standing()).isEqualTo(Standing.NO_PLANNER);
        fleetScene.join("ann");
        fleetScene.settle();

        assertThat(outlook("u0").standing()).isEqualTo(Standing.HELD);
        assertThat(outlook("u0").heldBy()).contains("ann");
        assertThat(outlook("u0").assignedTo()).contains("ann");
        assertThat(outlook("u0").planner()).contains("ann");
        assertThat(outlook("u0").summary()).isEqualTo("Worker ann has unit u0.");
        assertThat(outlook("u7").standing()).isEqualTo(Standing.NO_UNIT);
    }

    @Test
    void theExplanationOfAUnitSaysThatItsWorkerStoppedRenewing() {
        fleetScene.create(1);
        fleetScene.join("ann");
        fleetScene.settle();
        Key unit = Key.of("fleet/crew/units", "u0");
        assertThat(fleetScene.outsider.explain(unit).summary()).isEqualTo("Worker ann has unit u0.");

        fleetScene.kill("ann");
        fleetScene.advance(FleetScene.TERM.multipliedBy(2).dividedBy(3));

        assertThat(fleetScene.outsider.explain(unit).summary())
                .startsWith("Worker ann has unit u0. ")
                .contains("A renewal is overdue.");
    }

    @Test
    void aUnitThatIsHandedOverIsAssignedToTheNextWorker() {
        fleetScene.create(1);
        fleetScene.joinBare(
                "ann",
                builder -> builder.options(FleetOptions.defaults().revokeDeadline(Duration.ofHours(1)))
                        .handler(new NeverStopping()));
        fleetScene.settle();
        fleetScene.join("bob");
        control.move("u0", "bob", "bigger");
        fleetScene.settle();

        assertThat(outlook("u0").standing()).isEqualTo(Standing.ASSIGNED);
        assertThat(outlook("u0").assignedTo()).contains("bob");
        assertThat(outlook("u0").heldBy()).contains("ann");
        assertThat(outlook("u0").move()).map(ControlState.UnitMove::worker).contains("bob");
        assertThat(outlook("u0").summary()).isEqualTo("Unit u0 is assigned to bob, and ann has not released it yet.");
    }

    @Test
    void pausedWaitingDoneAndDeletedUnitsSaySo() {
        fleetScene.units().create("first", "other");
        fleetScene
                .units()
                .create(
                        List.of("last"),
                        Attributes.of(
                                "after",
                                new AttributeValue.ListOf(
                                        List.of(AttributeValue.of("first"), AttributeValue.of("other")))));
        fleetScene.join("ann");
        fleetScene.settle();
        fleetScene.fleet("ann").held().stream()
                .filter(unit -> unit.name().equals("first"))
                .forEach(Unit::done);
        control.pause(List.of("other"), "broken");
        fleetScene.settle();

        assertThat(outlook("first").standing()).isEqualTo(Standing.DONE);
        assertThat(outlook("last").standing()).isEqualTo(Standing.WAITING);
        assertThat(outlook("last").waitsFor()).containsExactly("other");
        assertThat(outlook("other").standing()).isEqualTo(Standing.PAUSED);
        assertThat(outlook("other").paused())
                .map(ControlState.ControlNote::reason)
                .contains("broken");
        assertThat(fleetScene.fleet("ann").status().units()).isEqualTo(new FleetStatus.UnitTotals(3, 0, 1, 0, 1, 1));
    }

    @Test
    void aFailedUnitRestsUntilATimeThatAnyProcessCanRead() {
        fleetScene.create(30);
        fleetScene.joinBare(
                "ann",
                builder -> builder.options(FleetOptions.defaults().backoff(Duration.ofMinutes(1), Duration.ofHours(1)))
                        .onAssigned(unit -> {
                            throw new IllegalStateException("broken");
                        }));
        fleetScene.advance(FleetScene.TERM.multipliedBy(3));

        UnitOutlook outlook = outlook("u0");
        assertThat(outlook.standing()).isEqualTo(Standing.UNPLACED);
        assertThat(outlook.unplaced()).contains(UnplacedReason.RESTING);
        assertThat(outlook.rest()).hasValueSatisfying(rest -> {
            assertThat(rest.worker()).isEqualTo("ann");
            assertThat(rest.failures()).isEqualTo(1);
            assertThat(rest.until())
                    .isBetween(
                            fleetScene.runtime.now(), fleetScene.runtime.now().plusSeconds(60));
        });
        assertThat(IntStream.range(0, 30).filter(i -> outlook("u" + i).rest().isPresent()))
                .as("the report names a limited number of units")
                .hasSize(20);
        assertThat(outlook("u9").unplaced())
                .as("not named, but all have this reason")
                .contains(UnplacedReason.RESTING);
        assertThat(fleetScene.fleet("ann").status().unplaced())
                .singleElement()
                .satisfies(units -> assertThat(units.count()).isEqualTo(30));
    }

    @Test
    void aUnitWithoutRoomAndOneOnADrainingWorkerSaySo() {
        fleetScene.create(2);
        fleetScene.join("ann", builder -> builder.maxUnits(1));
        fleetScene.settle();
        String held = fleetScene.held("ann").iterator().next();
        String other = held.equals("u0") ? "u1" : "u0";

        assertThat(outlook(other).standing()).isEqualTo(Standing.UNPLACED);
        assertThat(outlook(other).unplaced()).contains(UnplacedReason.NO_ROOM);
        assertThat(outlook(other).summary()).isEqualTo("No worker can have unit " + other + ": no worker has room.");

        control.drain("ann", "old");
        fleetScene.settle();
        assertThat(outlook(held).standing()).isEqualTo(Standing.HELD);
        assertThat(outlook(held).draining())
                .map(ControlState.ControlNote::reason)
                .contains("old");
        assertThat(outlook(held).unplaced()).contains(UnplacedReason.ALL_DRAINING);
        assertThat(outlook(other).unplaced()).contains(UnplacedReason.ALL_DRAINING);
    }

    /** A handler that begins at once, and never ends to stop. */
    private static final class NeverStopping implements UnitHandler {
        @Override
        public CompletionStage<?> assigned(Unit unit) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<?> revoked(Unit unit) {
            return new CompletableFuture<Void>();
        }
    }
}
