package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.testkit.FaultyStore.Calls;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * When planners list the workers, and when they read the anchors of known workers. A listing may read the whole table.
 */
class WorkerListingTest {
    private static final Duration REST = Duration.ofMinutes(1);
    /** A poll interval may be a tenth shorter, so that workers do not all poll at the same moment. */
    private static final long POLLS_AT_MOST = REST.multipliedBy(10).dividedBy(FleetScene.POLL.multipliedBy(9)) + 1;
    /** The planner, and two standbys. */
    private static final int PLANNERS_AND_STANDBYS = 3;

    private static final Key MARK = Key.of("fleet/crew", "workers");

    private final FleetScene fleetScene = new FleetScene();

    @AfterEach
    void close() {
        fleetScene.close();
    }

    private Calls calls(List<String> workers) {
        return workers.stream()
                .map(worker -> fleetScene.store(worker).calls())
                .reduce(
                        new Calls(0, 0, 0, 0),
                        (a, b) -> new Calls(
                                a.applies() + b.applies(),
                                a.changes() + b.changes(),
                                a.reads() + b.reads(),
                                a.scans() + b.scans()));
    }

    private Calls atRest(List<String> workers) {
        Calls before = calls(workers);
        fleetScene.advance(REST);
        return calls(workers).since(before);
    }

    private List<String> join(int count) {
        List<String> workers =
                IntStream.range(0, count).mapToObj(i -> "worker-" + i).toList();
        workers.forEach(fleetScene::join);
        fleetScene.settle();
        return workers;
    }

    @Test
    void anIdleFleetListsNothingAndReadsGrowWithTheWorkers() {
        fleetScene.create(20);

        for (int count : List.of(3, 10)) {
            List<String> workers = join(count);
            Calls calls = atRest(workers);

            assertThat(calls.scans()).as("listings by %s workers", count).isZero();
            // The planner and the standbys read three marks and each anchor. Each worker reads its sheet and the
            // planner's anchor, and once per term the planner's lease.
            long each = PLANNERS_AND_STANDBYS * (3L + count) + 3L * count;
            assertThat(calls.reads())
                    .as("reads by %s workers", count)
                    .isLessThanOrEqualTo(Math.toIntExact(POLLS_AT_MOST * each));
            workers.forEach(fleetScene::leave);
            fleetScene.settle();
        }
    }

    @Test
    void workersThatLeftAreNoLongerRead() {
        List<String> workers = join(3);
        int before = atRest(workers).reads();

        for (int i = 0; i < 5; i++) {
            fleetScene.join("short-lived-" + i);
            fleetScene.settle();
            fleetScene.leave("short-lived-" + i);
        }
        fleetScene.settle();

        assertThat(atRest(workers).reads()).isLessThan(before * 11 / 10);
    }

    @Test
    void aWorkerThatJoinsIsFoundByThePlannerAndTheStandbys() {
        fleetScene.create(4);
        List<String> workers = join(3);
        Calls before = calls(workers);

        fleetScene.join("late");
        fleetScene.advance(FleetScene.POLL.multipliedBy(2));

        assertThat(calls(workers).since(before).scans()).isBetween(PLANNERS_AND_STANDBYS, 2 * PLANNERS_AND_STANDBYS);
        assertThat(fleetScene.fleet("late").status().workers()).hasSize(4);
        fleetScene.settle();
        assertThat(fleetScene.loads()).containsEntry("late", 1);
        assertThat(atRest(workers).scans()).isZero();
    }

    @Test
    void aLostNoticeIsSentAgain() {
        fleetScene.create(4);
        join(2);

        fleetScene.join("late", builder -> {
            fleetScene.store("late").reject(MARK);
            return builder;
        });
        fleetScene.advance(FleetScene.POLL.multipliedBy(3));
        assertThat(fleetScene.events).noneMatch(line -> line.startsWith("late"));
        fleetScene.store("late").heal();
        fleetScene.settle();

        assertThat(fleetScene.loads()).containsEntry("late", 1);
    }

    @Test
    void aWorkerThatJoinsWhileADeadOneHoldsTheMarkIsFound() {
        fleetScene.create(4);
        join(2);
        Duration term = Duration.ofMinutes(5);
        fleetScene
                .outsider
                .tryAcquire(MARK, AcquireOptions.defaults().term(term).autoRenew(false))
                .orThrow();
        fleetScene.advance(FleetScene.POLL.multipliedBy(2));

        fleetScene.join("late");
        fleetScene.settle();

        assertThat(fleetScene.loads()).containsEntry("late", 1);
        fleetScene.advance(term);
        assertThat(atRest(List.of("worker-0", "worker-1", "late")).scans()).isZero();
    }

    @Test
    void aWorkerThatSendsNoNoticeIsFoundByTheRegularListing() {
        fleetScene.create(4);
        join(2);
        Anchor silent = fleetScene.outsider.anchor("crew/silent", FleetScene.TERM);
        fleetScene.settle();
        assertThat(fleetScene.fleet("worker-0").status().moves()).isZero();

        fleetScene.advance(FleetOptions.defaults().term(FleetScene.TERM).relistEvery());

        assertThat(silent.isHeld()).isTrue();
        assertThat(fleetScene.loads().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .as("the rest is meant for a worker that does not take it")
                .isLessThan(4);
    }

    @Test
    void workersAreListedAtEveryRefreshWhileOneOfThemSendsNoNotice() {
        fleetScene.create(4);
        Anchor old = fleetScene.outsider.anchor("crew/old", FleetScene.TERM);
        old.update(AttributePatch.putting("held", 0).put("capacity", 10).put("leaving", false));
        List<String> workers = join(2);

        Anchor another = fleetScene.outsider.anchor("crew/other", FleetScene.TERM);
        fleetScene.settle();

        assertThat(another.isHeld()).isTrue();
        assertThat(fleetScene.loads().values())
                .as("four units for four workers")
                .containsOnly(1);
        assertThat(atRest(workers).scans()).isPositive();
        old.close();
        another.close();
        fleetScene.settle();
        assertThat(atRest(workers).scans()).isZero();
    }
}
