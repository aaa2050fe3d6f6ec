package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.fleet.FleetMap.PlaceState;
import dev.holdfast.fleet.FleetMap.UnitPlace;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The places of all units of a fleet, as any process reads them. */
class FleetMapTest {
    private final FleetScene fleetScene = new FleetScene();
    private final FleetControl control =
            Fleet.control(fleetScene.outsider, "crew").onBehalfOf("ada (dashboard)");

    @AfterEach
    void close() {
        fleetScene.close();
    }

    private FleetMap map() {
        return Fleet.mapAsync(fleetScene.outsider, "crew").toCompletableFuture().join();
    }

    private static UnitPlace place(FleetMap map, String unit) {
        return Objects.requireNonNull(map.units().get(unit), unit);
    }

    @Test
    void unitsOfLiveWorkersAreHeld() {
        fleetScene.create(4);
        assertThat(place(map(), "u0").state()).isEqualTo(PlaceState.FREE);
        fleetScene.join("ann");
        fleetScene.join("bob");
        fleetScene.settle();

        FleetMap map = map();

        assertThat(map.units().keySet()).containsExactly("u0", "u1", "u2", "u3");
        assertThat(map.units().values()).allSatisfy(it -> {
            assertThat(it.state()).isEqualTo(PlaceState.HELD);
            assertThat(it.worker()).isEqualTo(it.heldBy()).isPresent();
            assertThat(it.grantedAt()).isPresent();
        });
        assertThat(map.units().values().stream().flatMap(it -> it.worker().stream()))
                .containsOnly("ann", "bob");
        assertThat(map.status().workers()).hasSize(2);
    }

    @Test
    void pausedAndWaitingUnitsAreShownAsSuch() {
        fleetScene.create(2);
        Units units = Fleet.units(fleetScene.outsider, "crew");
        units.create(
                List.of("later"),
                Attributes.NONE.with("after", new AttributeValue.ListOf(List.of(AttributeValue.of("u0")))));
        fleetScene.join("ann");
        fleetScene.settle();
        control.pause(List.of("u1"), "broken");
        fleetScene.settle();

        FleetMap map = map();

        assertThat(place(map, "u0").state()).isEqualTo(PlaceState.HELD);
        assertThat(place(map, "u1").state()).isEqualTo(PlaceState.PAUSED);
        assertThat(place(map, "later").state()).isEqualTo(PlaceState.WAITING);
        assertThat(Objects.requireNonNull(map.status().control().paused().get("u1"))
                        .by())
                .isEqualTo("ada (dashboard)");
    }

    @Test
    void aPartOfTheMapIsReadAgain() {
        fleetScene.create(2);
        FleetMap before = map();
        fleetScene.join("ann");
        fleetScene.settle();

        FleetMap after = Fleet.mapAsync(fleetScene.outsider, before, Set.of("u1", "u7"))
                .toCompletableFuture()
                .join();

        assertThat(place(after, "u0").state()).isEqualTo(PlaceState.ASSIGNED);
        assertThat(place(after, "u1").state()).isEqualTo(PlaceState.HELD);
        assertThat(after.units()).doesNotContainKey("u7");
        assertThat(after.status().planner()).contains("ann");
    }

    @Test
    void ordersShowOnUnitsThatWereNotReadAgain() {
        fleetScene.create(2);
        fleetScene.join("ann");
        fleetScene.settle();
        FleetMap before = map();
        control.pause(List.of("u1"), "broken");

        FleetMap after = Fleet.mapAsync(fleetScene.outsider, before, Set.of())
                .toCompletableFuture()
                .join();

        assertThat(place(after, "u1").state()).isEqualTo(PlaceState.PAUSED);
        assertThat(place(after, "u0").state()).isEqualTo(PlaceState.HELD);
    }
}
