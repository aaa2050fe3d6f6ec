package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.store.HostEnvironment.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ManualClockTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualClock runtime = new ManualClock();
    private final List<String> ran = new ArrayList<>();

    @Test
    void timeMovesOnlyWhenAdvanced() {
        long nanos = runtime.nanos();
        Instant now = runtime.now();

        assertThat(runtime.nanos()).isEqualTo(nanos);
        runtime.advance(SECOND);

        assertThat(runtime.nanos() - nanos).isEqualTo(SECOND.toNanos());
        assertThat(runtime.now()).isEqualTo(now.plus(SECOND));
    }

    @Test
    void tasksRunInDueOrderAndSeeTheirDueTime() {
        long start = runtime.nanos();
        runtime.schedule(Duration.ofSeconds(3), () -> note("c", start));
        runtime.schedule(Duration.ofSeconds(1), () -> note("a", start));
        runtime.schedule(Duration.ofSeconds(1), () -> note("b", start));

        runtime.advance(Duration.ofSeconds(2));
        assertThat(ran).containsExactly("a@1", "b@1");

        runtime.advance(Duration.ofSeconds(1));
        assertThat(ran).containsExactly("a@1", "b@1", "c@3");
    }

    private void note(String name, long start) {
        ran.add(name + "@" + Duration.ofNanos(runtime.nanos() - start).toSeconds());
    }

    @Test
    void tasksScheduledDuringAnAdvanceRunIfDue() {
        long start = runtime.nanos();
        runtime.schedule(SECOND, () -> {
            note("first", start);
            runtime.schedule(SECOND, () -> note("second", start));
            runtime.schedule(Duration.ofSeconds(5), () -> note("too late", start));
        });

        runtime.advance(Duration.ofSeconds(4));

        assertThat(ran).containsExactly("first@1", "second@2");
        assertThat(runtime.nanos() - start).isEqualTo(Duration.ofSeconds(4).toNanos());
    }

    @Test
    void aCancelledTaskDoesNotRun() {
        Timer timer = runtime.schedule(SECOND, () -> ran.add("cancelled"));
        timer.cancel();

        runtime.advance(SECOND);

        assertThat(ran).isEmpty();
    }

    @Test
    void callbacksRunAfterTheTaskThatCausedThemAndBeforeTheNext() {
        runtime.schedule(SECOND, () -> {
            runtime.execute(() -> {
                runtime.execute(() -> ran.add("inner callback"));
                ran.add("callback");
            });
            ran.add("task");
        });
        runtime.schedule(SECOND, () -> ran.add("next task"));

        runtime.advance(SECOND);

        assertThat(ran).containsExactly("task", "callback", "inner callback", "next task");
    }

    @Test
    void callbacksSubmittedOutsideATaskRunInTheNextAdvance() {
        runtime.execute(() -> ran.add("callback"));
        assertThat(ran).isEmpty();

        runtime.advance(Duration.ZERO);

        assertThat(ran).containsExactly("callback");
    }

    @Test
    void advanceThrowsFailuresAfterAllTasksHaveRun() {
        runtime.execute(() -> {
            throw new IllegalStateException("first");
        });
        runtime.schedule(SECOND, () -> {
            throw new AssertionError("second");
        });
        runtime.schedule(SECOND, () -> ran.add("task"));

        assertThatIllegalStateException()
                .isThrownBy(() -> runtime.advance(SECOND))
                .withMessage("first")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));

        assertThat(ran).containsExactly("task");
        runtime.advance(SECOND);
    }

    @Test
    void closeThrowsFailuresThatAdvanceHasNotThrown() throws InterruptedException {
        CompletableFuture<Void> future = new CompletableFuture<>();
        runtime.execute(() -> {
            future.complete(null);
            throw new IllegalStateException("unseen");
        });
        runtime.await(future);

        assertThatIllegalStateException().isThrownBy(runtime::close).withMessage("unseen");
        runtime.close();
    }

    @Test
    void theWallClockJumpsAlone() {
        long nanos = runtime.nanos();
        Instant now = runtime.now();

        runtime.jumpWall(Duration.ofHours(-1));

        assertThat(runtime.nanos()).isEqualTo(nanos);
        assertThat(runtime.now()).isEqualTo(now.minusSeconds(3600));
    }

    @Test
    void noTaskRunsWhileTheMachineSleeps() {
        Instant now = runtime.now();
        runtime.schedule(SECOND, () -> ran.add("task"));

        runtime.sleep(Duration.ofHours(1));
        runtime.advance(Duration.ofMillis(999));
        assertThat(ran).isEmpty();
        assertThat(runtime.now()).isEqualTo(now.plusSeconds(3600).plusMillis(999));

        runtime.advance(Duration.ofMillis(1));
        assertThat(ran).containsExactly("task");
    }

    @Test
    void theSameSeedGivesTheSameIdsAndRandomNumbers() {
        ManualClock same = new ManualClock(7);
        ManualClock again = new ManualClock(7);

        assertThat(same.randomId()).isEqualTo(again.randomId()).isNotEqualTo(same.randomId());
        assertThat(same.random()).isNotEqualTo(new ManualClock(8).random());
        assertThat(same.random()).isBetween(0.0, 1.0);
    }

    @Test
    void waitingForTimeOnASingleThreadFailsWithAdvice() {
        ManualClock impatient = new ManualClock(0, Duration.ofMillis(30));

        assertThatIllegalStateException()
                .isThrownBy(() -> impatient.await(new CompletableFuture<>()))
                .withMessageContaining("stood still")
                .withMessageContaining("advance()");
    }

    @Test
    void waitingEndsWhenAnotherThreadAdvancesTheTime() throws Exception {
        CompletableFuture<Void> future = new CompletableFuture<>();
        runtime.schedule(SECOND, () -> future.complete(null));

        List<Boolean> done = ThreadCrowd.of(2, number -> {
            if (number == 0) {
                runtime.await(future);
            } else {
                runtime.advance(SECOND);
            }
            return future.isDone();
        });

        assertThat(done).containsExactly(true, true);
    }

    @Test
    void waitingRunsDueTasks() throws InterruptedException {
        CompletableFuture<Void> future = new CompletableFuture<>();
        runtime.schedule(Duration.ZERO, () -> runtime.execute(() -> future.complete(null)));

        runtime.await(future);

        assertThat(future).isCompleted();
    }

    @Test
    void waitingCanBeInterrupted() {
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> runtime.await(new CompletableFuture<>()));
    }

    @Test
    void concurrentAdvancesMoveTimeByTheirSum() throws Exception {
        long start = runtime.nanos();
        AtomicInteger ticks = new AtomicInteger();
        for (int i = 1; i <= 800; i++) {
            runtime.schedule(Duration.ofMillis(i), ticks::incrementAndGet);
        }

        ThreadCrowd.of(8, number -> {
            for (int i = 0; i < 100; i++) {
                runtime.advance(Duration.ofMillis(1));
            }
            return number;
        });

        assertThat(runtime.nanos() - start).isEqualTo(Duration.ofMillis(800).toNanos());
        assertThat(ticks).hasValue(800);
    }

    @Test
    void tasksThatRescheduleThemselvesForeverAreStopped() {
        runtime.execute(new Runnable() {
            @Override
            public void run() {
                runtime.execute(this);
            }
        });

        assertThatIllegalStateException()
                .isThrownBy(() -> runtime.advance(SECOND))
                .withMessageContaining("has not moved");
    }

    @Test
    void advancingInsideATaskOrBackwardsIsRefused() {
        runtime.execute(() -> runtime.advance(SECOND));

        assertThatIllegalStateException().isThrownBy(() -> runtime.advance(SECOND));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> runtime.advance(Duration.ofSeconds(-1)))
                .withMessage("time: PT-1S (expected: >= PT0S)");
        assertThatIllegalArgumentException().isThrownBy(() -> runtime.sleep(Duration.ofSeconds(-1)));
    }

    @Test
    void nothingRunsAfterClose() {
        runtime.schedule(SECOND, () -> ran.add("before"));
        runtime.close();
        runtime.schedule(SECOND, () -> ran.add("after"));
        runtime.execute(() -> ran.add("callback"));

        runtime.advance(SECOND);

        assertThat(ran).isEmpty();
    }
}
