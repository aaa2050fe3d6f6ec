package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Key;
import dev.holdfast.testkit.FaultyStore.Calls;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When planners list, and when they read the anchors of the workers they know: a listing may cost the whole table. */
class WorkerListingTest {
    private static final Duration REST = Duration.ofMinutes(1);
    /** A poll lasts a tenth less at times, so that workers do not all look at one moment. */
    private static final long POLLS_AT_MOST = REST.multipliedBy(10).dividedBy(Crew.POLL.multipliedBy(9)) + 1;
    /** The planner, and two workers that stand by. */
    private static final int LOOKING = 3;

    private static final Key MARK = Key.of("fleet/crew", "workers");

    private final Crew crew = new Crew();

    @AfterEach
    void close() {
        crew.close();
    }

    private Calls calls(List<String> workers) {
        return workers.stream()
                .map(worker -> crew.store(worker).calls())
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
        crew.advance(REST);
        return calls(workers).since(before);
    }

    private List<String> join(int count) {
        List<String> workers =
                IntStream.range(0, count).mapToObj(i -> "worker-" + i).toList();
        workers.forEach(crew::join);
        crew.settle();
        return workers;
    }

    @Test
    void atRestNothingIsListedAndReadsGrowWithTheWorkers() {
        crew.create(20);

        for (int count : List.of(3, 10)) {
            List<String> workers = join(count);
            Calls calls = atRest(workers);

            assertThat(calls.scans()).as("listings by %s workers", count).isZero();
            // Two marks and each anchor, by those who look; each worker's sheet and its planner's anchor; and once per
            // term whether planning goes on.
            long each = LOOKING * (2L + count) + 3L * count;
            assertThat(calls.reads())
                    .as("reads by %s workers", count)
                    .isLessThanOrEqualTo(Math.toIntExact(POLLS_AT_MOST * each));
            workers.forEach(crew::leave);
            crew.settle();
        }
    }

    @Test
    void workersThatLeftAreReadNoMore() {
        List<String> workers = join(3);
        int before = atRest(workers).reads();

        for (int i = 0; i < 5; i++) {
            crew.join("short-lived-" + i);
            crew.settle();
            crew.leave("short-lived-" + i);
        }
        crew.settle();

        assertThat(atRest(workers).reads()).isLessThan(before * 11 / 10);
    }

    @Test
    void aWorkerThatJoinsIsFoundByAllThatLook() {
        crew.create(4);
        List<String> workers = join(3);
        Calls before = calls(workers);

        crew.join("late");
        crew.advance(Crew.POLL.multipliedBy(2));

        assertThat(calls(workers).since(before).scans()).isBetween(LOOKING, 2 * LOOKING);
        assertThat(crew.fleet("late").status().workers()).hasSize(4);
        crew.settle();
        assertThat(crew.loads()).containsEntry("late", 1);
        assertThat(atRest(workers).scans()).isZero();
    }

    @Test
    void aWorkerWhoseNoticeIsLostGivesItAgain() {
        crew.create(4);
        join(2);

        crew.join("late", builder -> {
            crew.store("late").reject(MARK);
            return builder;
        });
        crew.advance(Crew.POLL.multipliedBy(3));
        assertThat(crew.told).noneMatch(line -> line.startsWith("late"));
        crew.store("late").heal();
        crew.settle();

        assertThat(crew.loads()).containsEntry("late", 1);
    }

    @Test
    void aWorkerThatJoinsWhileADeadOneHoldsTheMarkIsFound() {
        crew.create(4);
        join(2);
        Duration term = Duration.ofMinutes(5);
        crew.outsider
                .tryAcquire(MARK, AcquireOptions.defaults().term(term).autoRenew(false))
                .orThrow();
        crew.advance(Crew.POLL.multipliedBy(2));

        crew.join("late");
        crew.settle();

        assertThat(crew.loads()).containsEntry("late", 1);
        crew.advance(term);
        assertThat(atRest(List.of("worker-0", "worker-1", "late")).scans()).isZero();
    }

    @Test
    void aWorkerThatGivesNoNoticeIsFoundWhenAllAreListed() {
        crew.create(4);
        join(2);
        Anchor silent = crew.outsider.anchor("crew/silent", Crew.TERM);
        crew.settle();
        assertThat(crew.fleet("worker-0").status().moves()).isZero();

        crew.advance(FleetOptions.defaults().term(Crew.TERM).relistEvery());

        assertThat(silent.isHeld()).isTrue();
        assertThat(crew.loads().values().stream().mapToInt(Integer::intValue).sum())
                .as("the rest is meant for a worker that does not take it")
                .isLessThan(4);
    }

    @Test
    void whereOneWorkerIsOfAVersionThatGivesNoNoticeWorkersAreListedAtEveryLook() {
        crew.create(4);
        Anchor old = crew.outsider.anchor("crew/old", Crew.TERM);
        old.update(AttributePatch.putting("held", 0).put("capacity", 10).put("leaving", false));
        List<String> workers = join(2);

        Anchor another = crew.outsider.anchor("crew/other", Crew.TERM);
        crew.settle();

        assertThat(another.isHeld()).isTrue();
        assertThat(crew.loads().values()).as("four units for four workers").containsOnly(1);
        assertThat(atRest(workers).scans()).isPositive();
        old.close();
        another.close();
        crew.settle();
        assertThat(atRest(workers).scans()).isZero();
    }
}
