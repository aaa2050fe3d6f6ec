package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.NotGrantedException;
import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LossTest {
    private final FleetScene fleetScene = new FleetScene();

    @AfterEach
    void close() {
        fleetScene.close();
    }

    private void cutOff(String worker) {
        fleetScene.store(worker).always(Call.APPLY, StoreFault.LOSE_REQUEST);
        fleetScene.store(worker).always(Call.READ, StoreFault.LOSE_REQUEST);
        fleetScene.store(worker).always(Call.SCAN, StoreFault.LOSE_REQUEST);
    }

    @Test
    void aWorkerCutOffFromTheStoreStopsItsUnitsBeforeTheyExpire() {
        fleetScene.create(4);
        List<Boolean> heldWhenStopped = new ArrayList<>();
        fleetScene.join("ann");
        fleetScene.join(
                "bob",
                it -> it.onRevoked(unit -> {
                    fleetScene.events.add(
                            "bob stops " + unit.name() + ": " + unit.revoked().orElseThrow());
                    heldWhenStopped.add(unit.isHeld());
                }));
        fleetScene.settle();

        cutOff("bob");
        fleetScene.advance(FleetScene.TERM);

        assertThat(heldWhenStopped).containsExactly(true, true);
        assertThat(fleetScene.events)
                .filteredOn(line -> line.startsWith("bob stops"))
                .allMatch(line -> line.endsWith("EXPIRING"));
        assertThat(fleetScene.held("bob")).isEmpty();
    }

    @Test
    void aWorkerThatReconnectsWithinItsTermKeepsItsUnits() {
        fleetScene.create(4);
        fleetScene.join("ann");
        fleetScene.join("bob");
        fleetScene.settle();
        var before = fleetScene.held("bob");

        cutOff("bob");
        for (int i = 0; i < 100 && fleetScene.events.stream().noneMatch(line -> line.startsWith("bob stops")); i++) {
            fleetScene.advance(Duration.ofMillis(100));
        }
        fleetScene.store("bob").heal();
        fleetScene.advance(Duration.ofSeconds(8));

        assertThat(fleetScene.events).contains("bob stops " + before.iterator().next() + ": EXPIRING");
        assertThat(fleetScene.held("bob")).isEqualTo(before);
        assertThat(fleetScene.held("ann")).hasSize(2);
    }

    @Test
    void aWorkerCutOffForLongJoinsAgainByItself() {
        fleetScene.create(4);
        fleetScene.join("ann");
        fleetScene.join("bob");
        fleetScene.settle();

        cutOff("bob");
        fleetScene.advance(Duration.ofMinutes(1));
        assertThat(fleetScene.held("ann")).hasSize(4);
        assertThat(fleetScene.fleet("bob").isHealthy()).isFalse();
        assertThat(fleetScene.fleet("bob").health().reason()).startsWith("out of the fleet");

        fleetScene.store("bob").heal();
        fleetScene.settle();
        assertThat(fleetScene.loads()).containsEntry("ann", 2).containsEntry("bob", 2);
        assertThat(fleetScene.fleet("bob").isHealthy()).isTrue();
    }

    @Test
    void anEvictedWorkerStopsAndJoinsAgain() {
        fleetScene.create(4);
        fleetScene.join("ann");
        fleetScene.join("bob");
        fleetScene.settle();

        fleetScene.outsider.evict(Key.ofAnchor(Holder.of("crew/bob")), "a test");
        fleetScene.settle();

        assertThat(fleetScene.events)
                .filteredOn(line -> line.startsWith("bob stops"))
                .hasSize(2)
                .allMatch(line -> line.endsWith("LOST"));
        assertThat(fleetScene.loads()).containsEntry("ann", 2).containsEntry("bob", 2);
    }

    @Test
    void anEvictedUnitIsStoppedWhenTheWorkerNoticesIt() {
        fleetScene.create(1);
        fleetScene.join("ann");
        fleetScene.advance(Duration.ofSeconds(5));
        Unit unit = fleetScene.fleet("ann").held().get(0);

        fleetScene.outsider.evict(Key.of("fleet/crew/units", "u0"), "a test");
        assertThat(unit.updateAsync(dev.holdfast.AttributePatch.putting("a", 1)))
                .isCompletedExceptionally();
        fleetScene.advance(Duration.ofSeconds(5));

        assertThat(fleetScene.events).contains("ann stops u0: LOST");
        assertThat(fleetScene.held("ann")).containsExactly("u0");
    }

    @Test
    void twoWorkersOfTheSameNameCannotBothJoin() {
        fleetScene.join("ann");

        CompletableFuture<Fleet> second = Fleet.of(fleetScene.outsider, "crew")
                .worker("ann")
                .term(FleetScene.TERM)
                .joinAsync()
                .toCompletableFuture();
        fleetScene.advance(FleetScene.TERM.multipliedBy(3));

        assertThat(second).isCompletedExceptionally();
        assertThat(second.handle((fleet, error) -> dev.holdfast.support.Futures.cause(error))
                        .join())
                .isInstanceOf(NotGrantedException.class);
    }

    @Test
    void aWorkerThatDiesAndReturnsUnderItsNameGetsUnitsAgain() {
        fleetScene.create(6);
        fleetScene.join("ann");
        fleetScene.join("bob");
        fleetScene.settle();

        fleetScene.kill("bob");
        fleetScene.advance(Duration.ofSeconds(1));
        CompletableFuture<Fleet> again = fleetScene.joining("bob");
        fleetScene.settle();

        assertThat(again).isCompleted();
        assertThat(fleetScene.loads()).containsEntry("ann", 3).containsEntry("bob", 3);
    }

    @Test
    void aPausedPlannerCannotOverwriteThePlanOfItsSuccessor() {
        fleetScene.create(6);
        fleetScene.join("ann");
        fleetScene.join("bob");
        fleetScene.join("cid");
        fleetScene.settle();
        assertThat(fleetScene.fleet("bob").status().planner()).contains("ann");

        cutOff("ann");
        fleetScene.advance(FleetScene.TERM.multipliedBy(3));
        assertThat(fleetScene.fleet("bob").status().planner()).isPresent().isNotEqualTo(java.util.Optional.of("ann"));
        assertThat(fleetScene.held("bob")).hasSize(3);
        fleetScene.store("ann").heal();
        fleetScene.settle();

        assertThat(fleetScene.loads().values()).containsOnly(2);
    }

    @Test
    void planningContinuesWhenThePlannersLeaseIsEvicted() {
        fleetScene.create(4);
        fleetScene.join("ann");
        fleetScene.join("bob");
        fleetScene.settle();

        fleetScene.outsider.evict(Key.of("fleet/crew", "planner"), "a test");
        fleetScene.settle();
        fleetScene.units().create("later");
        fleetScene.settle();

        assertThat(fleetScene.allHeld()).hasSize(5);
        assertThat(fleetScene.fleet("ann").status().planner()).isPresent();
    }

    @Test
    void closingIsIdempotent() {
        fleetScene.create(2);
        Fleet fleet = fleetScene.join("ann");
        fleetScene.advance(Duration.ofSeconds(5));

        fleetScene.leave("ann");
        fleetScene.leave("ann");

        assertThat(fleet.held()).isEmpty();
        assertThat(fleet.health().reason()).isEqualTo("closed");
        assertThat(fleetScene.events).filteredOn(line -> line.contains("stops")).hasSize(2);
    }

    @Test
    void closingDoesNotTakeLongerThanItsDeadline() {
        fleetScene.create(2);
        fleetScene.joinBare(
                "ann",
                it -> it.handler(new UnitHandler() {
                    @Override
                    public java.util.concurrent.CompletionStage<?> assigned(Unit unit) {
                        return CompletableFuture.completedFuture(true);
                    }

                    @Override
                    public java.util.concurrent.CompletionStage<?> revoked(Unit unit) {
                        return new CompletableFuture<>();
                    }
                }));
        fleetScene.advance(Duration.ofSeconds(5));

        CompletableFuture<Void> closing = fleetScene.fleet("ann").closeAsync().toCompletableFuture();
        fleetScene.advance(FleetOptions.defaults().term(FleetScene.TERM).closeDeadline());

        assertThat(closing).isCompleted();
        assertThat(fleetScene.held("ann")).isEmpty();
    }
}
