package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.NotGrantedException;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.testkit.Fault;
import dev.holdfast.testkit.FaultyStore.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LossTest {
    private final Crew crew = new Crew();

    @AfterEach
    void close() {
        crew.close();
    }

    private void cutOff(String worker) {
        crew.store(worker).always(Call.APPLY, Fault.LOSE_REQUEST);
        crew.store(worker).always(Call.READ, Fault.LOSE_REQUEST);
        crew.store(worker).always(Call.SCAN, Fault.LOSE_REQUEST);
    }

    @Test
    void oneThatIsCutOffStopsItsUnitsWhileTheyAreStillItsOwn() {
        crew.create(4);
        List<Boolean> heldWhenStopped = new ArrayList<>();
        crew.join("ann");
        crew.join(
                "bob",
                it -> it.onRevoked(unit -> {
                    crew.told.add(
                            "bob stops " + unit.name() + ": " + unit.revoked().orElseThrow());
                    heldWhenStopped.add(unit.isHeld());
                }));
        crew.settle();

        cutOff("bob");
        crew.advance(Crew.TERM);

        assertThat(heldWhenStopped).containsExactly(true, true);
        assertThat(crew.told)
                .filteredOn(line -> line.startsWith("bob stops"))
                .allMatch(line -> line.endsWith("EXPIRING"));
        assertThat(crew.held("bob")).isEmpty();
    }

    @Test
    void oneThatIsBackBeforeItsTermHasEndedGoesOnWithItsUnits() {
        crew.create(4);
        crew.join("ann");
        crew.join("bob");
        crew.settle();
        var before = crew.held("bob");

        cutOff("bob");
        for (int i = 0; i < 100 && crew.told.stream().noneMatch(line -> line.startsWith("bob stops")); i++) {
            crew.advance(Duration.ofMillis(100));
        }
        crew.store("bob").heal();
        crew.advance(Duration.ofSeconds(8));

        assertThat(crew.told).contains("bob stops " + before.iterator().next() + ": EXPIRING");
        assertThat(crew.held("bob")).isEqualTo(before);
        assertThat(crew.held("ann")).hasSize(2);
    }

    @Test
    void oneThatWasCutOffForLongJoinsAgainByItself() {
        crew.create(4);
        crew.join("ann");
        crew.join("bob");
        crew.settle();

        cutOff("bob");
        crew.advance(Duration.ofMinutes(1));
        assertThat(crew.held("ann")).hasSize(4);
        assertThat(crew.fleet("bob").isHealthy()).isFalse();
        assertThat(crew.fleet("bob").health().reason()).startsWith("out of the fleet");

        crew.store("bob").heal();
        crew.settle();
        assertThat(crew.loads()).containsEntry("ann", 2).containsEntry("bob", 2);
        assertThat(crew.fleet("bob").isHealthy()).isTrue();
    }

    @Test
    void oneThatIsEvictedStopsAndJoinsAgain() {
        crew.create(4);
        crew.join("ann");
        crew.join("bob");
        crew.settle();

        crew.outsider.evict(Key.ofAnchor(Holder.of("crew/bob")), "a test");
        crew.settle();

        assertThat(crew.told)
                .filteredOn(line -> line.startsWith("bob stops"))
                .hasSize(2)
                .allMatch(line -> line.endsWith("LOST"));
        assertThat(crew.loads()).containsEntry("ann", 2).containsEntry("bob", 2);
    }

    @Test
    void aUnitThatIsEvictedIsStoppedWhenTheWorkerHearsOfIt() {
        crew.create(1);
        crew.join("ann");
        crew.advance(Duration.ofSeconds(5));
        Unit unit = crew.fleet("ann").held().get(0);

        crew.outsider.evict(Key.of("fleet/crew/units", "u0"), "a test");
        assertThat(unit.updateAsync(dev.holdfast.model.AttributePatch.putting("a", 1)))
                .isCompletedExceptionally();
        crew.advance(Duration.ofSeconds(5));

        assertThat(crew.told).contains("ann stops u0: LOST");
        assertThat(crew.held("ann")).containsExactly("u0");
    }

    @Test
    void twoOfOneNameCannotBothBeIn() {
        crew.join("ann");

        CompletableFuture<Fleet> second = Fleet.of(crew.outsider, "crew")
                .worker("ann")
                .term(Crew.TERM)
                .joinAsync()
                .toCompletableFuture();
        crew.advance(Crew.TERM.multipliedBy(3));

        assertThat(second).isCompletedExceptionally();
        assertThat(second.handle((fleet, error) -> dev.holdfast.internal.Futures.cause(error))
                        .join())
                .isInstanceOf(NotGrantedException.class);
    }

    @Test
    void oneThatDiesAndComesBackUnderItsNameIsGivenUnitsAgain() {
        crew.create(6);
        crew.join("ann");
        crew.join("bob");
        crew.settle();

        crew.kill("bob");
        crew.advance(Duration.ofSeconds(1));
        CompletableFuture<Fleet> again = crew.joining("bob");
        crew.settle();

        assertThat(again).isCompleted();
        assertThat(crew.loads()).containsEntry("ann", 3).containsEntry("bob", 3);
    }

    @Test
    void aPlannerThatWasOnlyPausedCannotUndoWhatItsSuccessorPlanned() {
        crew.create(6);
        crew.join("ann");
        crew.join("bob");
        crew.join("cid");
        crew.settle();
        assertThat(crew.fleet("bob").status().planner()).contains("ann");

        cutOff("ann");
        crew.advance(Crew.TERM.multipliedBy(3));
        assertThat(crew.fleet("bob").status().planner()).isPresent().isNotEqualTo(java.util.Optional.of("ann"));
        assertThat(crew.held("bob")).hasSize(3);
        crew.store("ann").heal();
        crew.settle();

        assertThat(crew.loads().values()).containsOnly(2);
    }

    @Test
    void whenThePlannersLeaseIsTakenAwayPlanningGoesOn() {
        crew.create(4);
        crew.join("ann");
        crew.join("bob");
        crew.settle();

        crew.outsider.evict(Key.of("fleet/crew", "planner"), "a test");
        crew.settle();
        crew.units().create("later");
        crew.settle();

        assertThat(crew.allHeld()).hasSize(5);
        assertThat(crew.fleet("ann").status().planner()).isPresent();
    }

    @Test
    void closingTwiceIsAsGoodAsOnce() {
        crew.create(2);
        Fleet fleet = crew.join("ann");
        crew.advance(Duration.ofSeconds(5));

        crew.leave("ann");
        crew.leave("ann");

        assertThat(fleet.held()).isEmpty();
        assertThat(fleet.health().reason()).isEqualTo("closed");
        assertThat(crew.told).filteredOn(line -> line.contains("stops")).hasSize(2);
    }

    @Test
    void closingDoesNotTakeLongerThanItsDeadline() {
        crew.create(2);
        crew.joinBare(
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
        crew.advance(Duration.ofSeconds(5));

        CompletableFuture<Void> closing = crew.fleet("ann").closeAsync().toCompletableFuture();
        crew.advance(FleetOptions.defaults().term(Crew.TERM).closeDeadline());

        assertThat(closing).isCompleted();
        assertThat(crew.held("ann")).isEmpty();
    }
}
