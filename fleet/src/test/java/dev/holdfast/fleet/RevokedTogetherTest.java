package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributePatch;
import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Units that must stop in one step are stopped in one call. */
class RevokedTogetherTest {
    private final FleetScene fleetScene = new FleetScene();
    private final List<List<String>> calls = new ArrayList<>();

    @AfterEach
    void close() {
        fleetScene.close();
    }

    private void note(List<Unit> units) {
        calls.add(units.stream()
                .map(unit -> unit.name() + " " + unit.revoked().orElseThrow() + (unit.isHeld() ? "" : ", not held"))
                .sorted()
                .toList());
    }

    @Test
    void allUnitsThatAPlanTakesAwayAreRevokedInOneCall() {
        fleetScene.create(6);
        fleetScene.joinBare(
                "ann",
                it -> it.onRevokedTogether(units -> {
                    note(units);
                    units.forEach(unit -> unit.updateAsync(AttributePatch.putting("offset", 7)));
                }));
        fleetScene.advance(Duration.ofSeconds(5));
        fleetScene.join("bob");
        fleetScene.settle();

        assertThat(calls).hasSize(1);
        assertThat(calls.get(0)).hasSize(3).allMatch(line -> line.endsWith(" MOVED"));
        assertThat(fleetScene.loads()).containsEntry("ann", 3).containsEntry("bob", 3);
        assertThat(fleetScene.fleet("bob").held())
                .allMatch(unit -> unit.attributes().number("offset").isPresent());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void allUnitsLeftWhenTheFleetIsClosedAreRevokedInOneCall(boolean planned) {
        Fleet ann =
                fleetScene.joinBare("ann", it -> (planned ? it : it.withoutPlanner()).onRevokedTogether(this::note));
        ann.units().create("a", "b", "c");
        fleetScene.advance(Duration.ofSeconds(5));

        fleetScene.leave("ann");

        assertThat(calls).containsExactly(List.of("a CLOSING", "b CLOSING", "c CLOSING"));
    }

    @Test
    void allUnitsOfAWorkerCutOffFromTheStoreAreRevokedInOneCallBeforeTheyExpire() {
        fleetScene.create(3);
        fleetScene.joinBare("ann", it -> it.onRevokedTogether(this::note));
        fleetScene.advance(Duration.ofSeconds(5));

        fleetScene.store("ann").always(Call.APPLY, StoreFault.LOSE_REQUEST);
        fleetScene.advance(FleetScene.TERM.multipliedBy(2));

        assertThat(calls).containsExactly(List.of("u0 EXPIRING", "u1 EXPIRING", "u2 EXPIRING"));
    }

    @Test
    void noUnitIsHandedOverBeforeTheCallIsOver() {
        fleetScene.create(4);
        CompletableFuture<Boolean> stopped = new CompletableFuture<>();
        fleetScene.joinBare(
                "ann",
                it -> it.options(FleetOptions.defaults().revokeDeadline(Duration.ofHours(1)))
                        .handler(new UnitHandler() {
                            @Override
                            public CompletionStage<?> assigned(Unit unit) {
                                return CompletableFuture.completedFuture(true);
                            }

                            @Override
                            public CompletionStage<?> revoked(Unit unit) {
                                throw new AssertionError("not called, as the other is");
                            }

                            @Override
                            public List<? extends CompletionStage<?>> revokedTogether(List<Unit> units) {
                                note(units);
                                return units.stream().map(unit -> stopped).toList();
                            }
                        }));
        fleetScene.advance(Duration.ofSeconds(5));
        fleetScene.join("bob");
        fleetScene.settle();
        assertThat(calls).hasSize(1);
        assertThat(fleetScene.held("bob")).isEmpty();

        stopped.complete(true);
        fleetScene.advance(Duration.ofSeconds(2));

        assertThat(fleetScene.loads()).containsEntry("ann", 2).containsEntry("bob", 2);
    }

    @Test
    void anErrorOfTheCallHandsOverAllUnits() {
        fleetScene.create(4);
        fleetScene.joinBare(
                "ann",
                it -> it.onRevokedTogether(units -> {
                    throw new LinkageError("a class is missing");
                }));
        fleetScene.advance(Duration.ofSeconds(5));
        fleetScene.join("bob");
        fleetScene.settle();

        assertThat(fleetScene.loads()).containsEntry("ann", 2).containsEntry("bob", 2);
    }

    @Test
    void atTheDeadlineAllUnitsAreHandedOver() {
        fleetScene.create(4);
        fleetScene.joinBare(
                "ann",
                it -> it.handler(new UnitHandler() {
                    @Override
                    public CompletionStage<?> assigned(Unit unit) {
                        return CompletableFuture.completedFuture(true);
                    }

                    @Override
                    public CompletionStage<?> revoked(Unit unit) {
                        return new CompletableFuture<>();
                    }
                }));
        fleetScene.advance(Duration.ofSeconds(5));
        fleetScene.join("bob");
        fleetScene.settle();

        assertThat(fleetScene.held("bob")).hasSize(2);
        assertThat(fleetScene.fleet("ann").health().reason()).startsWith("onRevoked of unit ");
    }
}
