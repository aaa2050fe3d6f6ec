package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Fault;
import dev.holdfast.testkit.FaultyStore.Call;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LooseFleetTest {
    private final Crew crew = new Crew();

    @AfterEach
    void close() {
        crew.close();
    }

    private Fleet join(String worker) {
        return crew.join(worker, FleetBuilder::withoutPlanner);
    }

    @Test
    void oneTakesAllThatIsFree() {
        Fleet ann = join("ann");
        ann.units().create("a", "b", "c");
        crew.advance(Duration.ofSeconds(5));

        assertThat(crew.held("ann")).containsExactly("a", "b", "c");
    }

    @Test
    void oneWhoComesLaterStealsItsShareAndThatIsAll() {
        Fleet ann = join("ann");
        ann.units().create("a", "b", "c", "d", "e");
        crew.advance(Duration.ofSeconds(5));

        join("bob");
        crew.settle();

        assertThat(crew.loads()).containsEntry("ann", 3).containsEntry("bob", 2);
        assertThat(crew.told)
                .filteredOn(line -> line.startsWith("ann stops"))
                .hasSize(2)
                .allMatch(line -> line.endsWith("LOST"));
        assertThat(crew.told).noneMatch(line -> line.startsWith("bob stops"));
        FleetStatus status = ann.status();
        assertThat(status.planner()).isEmpty();
        assertThat(status.workers()).hasSize(2);
        assertThat(status.units()).isEqualTo(new FleetStatus.UnitTotals(5, 5, 0, 0));
    }

    @Test
    void theUnitsOfOneWhoDiesAreTakenWhenTheirTermsAreOver() {
        Fleet ann = join("ann");
        ann.units().create("a", "b", "c", "d");
        join("bob");
        crew.settle();

        crew.kill("bob");
        crew.advance(Crew.TERM.plus(Crew.POLL.multipliedBy(2)));

        assertThat(crew.held("ann")).hasSize(4);
        assertThat(crew.fleet("ann").isHealthy()).isTrue();
    }

    @Test
    void oneThatIsCutOffStopsItsUnitsWhileTheyAreStillItsOwn() {
        Fleet ann = crew.join(
                "ann",
                it -> it.withoutPlanner()
                        .onRevoked(unit -> crew.told.add(unit.revoked().orElseThrow() + " " + unit.isHeld())));
        ann.units().create("a", "b");
        crew.advance(Duration.ofSeconds(5));

        crew.store("ann").always(Call.APPLY, Fault.LOSE_REQUEST);
        crew.store("ann").always(Call.READ, Fault.LOSE_REQUEST);
        crew.store("ann").always(Call.SCAN, Fault.LOSE_REQUEST);
        crew.advance(Crew.TERM);

        assertThat(crew.told)
                .filteredOn(line -> line.contains("true") || line.contains("false"))
                .containsExactly("EXPIRING true", "EXPIRING true");
        assertThat(crew.held("ann")).isEmpty();
    }

    @Test
    void aUnitThatIsWorkedOnIsDeletedByForce() {
        Fleet ann = join("ann");
        ann.units().create("a", "b");
        crew.advance(Duration.ofSeconds(5));

        assertThat(ann.units().delete("a")).isTrue();
        assertThat(ann.units().list()).extracting(UnitStatus::name).containsExactly("b");
        crew.advance(Crew.TERM.dividedBy(5));

        assertThat(crew.held("ann")).containsExactly("b");
        assertThat(crew.told).contains("ann stops a: LOST");
    }

    @Test
    void oneWhoLeavesReleasesEverything() {
        Fleet ann = join("ann");
        ann.units().create("a", "b", "c", "d");
        join("bob");
        crew.settle();

        crew.leave("bob");
        crew.advance(Crew.POLL.multipliedBy(2));

        assertThat(crew.held("ann")).hasSize(4);
        assertThat(crew.told)
                .filteredOn(line -> line.endsWith("CLOSING"))
                .hasSize(2)
                .allMatch(line -> line.startsWith("bob stops"));
    }

    @Test
    void aDoneUnitIsTakenByNobody() {
        Fleet ann = join("ann");
        ann.units().create("a", "b");
        crew.advance(Duration.ofSeconds(5));
        String done = ann.held().get(0).name();

        ann.held().get(0).done();
        crew.settle();

        assertThat(crew.held("ann")).hasSize(1).doesNotContain(done);
    }

    @Test
    void aUnitThatFailsRestsAndIsLeftToOthers() {
        Fleet ann = crew.join(
                "ann",
                it -> it.withoutPlanner().onAssigned(unit -> {
                    throw new IllegalStateException("not here");
                }));
        ann.units().create("a", "b");
        crew.advance(Duration.ofSeconds(5));

        join("bob");
        crew.settle();

        assertThat(crew.held("bob")).containsExactly("a", "b");
    }

    @Test
    void unitsOfANamespaceOfOneOwnAreUnitsToo() {
        crew.outsider
                .tryAcquire(dev.holdfast.model.Key.of("shards", "s1"), dev.holdfast.AcquireOptions.defaults())
                .orThrow()
                .release();
        crew.join("ann", it -> it.withoutPlanner("shards"));
        crew.advance(Duration.ofSeconds(5));

        assertThat(crew.held("ann")).containsExactly("s1");
    }

    @Test
    void aUnitThatIsDeletedIsNoMore() {
        Fleet ann = join("ann");
        ann.units().create("a", "b");
        assertThat(ann.units().delete("a")).isTrue();
        crew.advance(Duration.ofSeconds(5));

        assertThat(crew.held("ann")).containsExactly("b");
        assertThat(ann.units().list()).extracting(UnitStatus::name).containsExactly("b");
    }
}
