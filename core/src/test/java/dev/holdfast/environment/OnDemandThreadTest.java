package dev.holdfast.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OnDemandThreadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long LONG_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Semaphore rounds = new Semaphore(0);
    private volatile boolean isNeeded;

    @Test
    void itRunsOnlyWhileItIsNeeded() throws InterruptedException {
        try (OnDemandThread thread = thread(Duration.ZERO, it -> it.pause(1_000))) {
            assertThat(thread.isRunning()).isFalse();

            for (int i = 0; i < 2; i++) {
                isNeeded = true;
                thread.start();
                assertThat(thread.isRunning()).isTrue();
                awaitRound();

                isNeeded = false;
                awaitEnd(thread);
            }
        }
    }

    @Test
    void itLingersAfterTheLastNeed() throws InterruptedException {
        try (OnDemandThread thread = thread(Duration.ofSeconds(Long.MAX_VALUE), it -> it.pause(1_000))) {
            isNeeded = true;
            thread.start();
            isNeeded = false;

            awaitRound();
            awaitRound();
            assertThat(thread.isRunning()).isTrue();
        }
    }

    @Test
    void closingEndsALongPauseAndForbidsAnotherStart() throws InterruptedException {
        OnDemandThread thread = thread(PATIENCE, it -> it.pause(LONG_NANOS));
        isNeeded = true;
        thread.start();
        awaitRound();

        thread.close(PATIENCE);

        assertThat(thread.isRunning()).isFalse();
        thread.start();
        assertThat(thread.isRunning()).isFalse();
    }

    @Test
    void itMayCloseItself() throws InterruptedException {
        isNeeded = true;
        OnDemandThread thread = thread(PATIENCE, it -> it.close(PATIENCE));

        thread.start();

        awaitRound();
        awaitEnd(thread);
    }

    @Test
    void anInterruptOfACallbackEndsOnlyOnePause() throws InterruptedException {
        try (OnDemandThread thread = thread(PATIENCE, it -> {
            Thread.currentThread().interrupt();
            it.pause(LONG_NANOS);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        })) {
            isNeeded = true;
            thread.start();

            awaitRound();
            awaitRound();
        }
    }

    /** A thread that does {@code each} in every round of its work. */
    private OnDemandThread thread(Duration linger, Consumer<OnDemandThread> each) {
        AtomicReference<@Nullable OnDemandThread> made = new AtomicReference<>();
        OnDemandThread thread = new OnDemandThread("on-demand-test", linger, () -> isNeeded, () -> {
            OnDemandThread self = java.util.Objects.requireNonNull(made.get());
            while (self.continues()) {
                rounds.release();
                each.accept(self);
            }
        });
        made.set(thread);
        return thread;
    }

    private void awaitRound() throws InterruptedException {
        assertThat(rounds.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private static void awaitEnd(OnDemandThread thread) throws InterruptedException {
        long startNanos = System.nanoTime();
        while (thread.isRunning()) {
            assertThat(System.nanoTime() - startNanos).isLessThan(PATIENCE.toNanos());
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
