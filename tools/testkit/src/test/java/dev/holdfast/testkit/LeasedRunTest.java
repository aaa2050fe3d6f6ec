package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.NotGrantedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On real time: a loss must interrupt a thread that blocks. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeasedRunTest {
    private static final Key KEY = Key.of("deploy");
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().term(Duration.ofMillis(300));

    private final Leases leases = Holdfast.open("memory:");

    @AfterEach
    void close() {
        leases.close();
    }

    private boolean isFree() {
        return !leases.get(KEY).orElseThrow().isHeld();
    }

    @Test
    void anActionWithoutAResultRunsUnderTheLease() throws Exception {
        List<Boolean> held = new ArrayList<>();

        leases.run("deploy", lease -> held.add(lease.isHeld()));
        leases.run(KEY, OPTIONS, lease -> held.add(lease.isHeld()));
        leases.run(KEY, OPTIONS, Duration.ZERO, lease -> held.add(lease.isHeld()));

        assertThat(held).containsExactly(true, true, true);
    }

    @Test
    void theKeyIsHeldWhileTheWorkRunsAndReleasedAfterwards() throws Exception {
        Thread caller = Thread.currentThread();

        boolean held = leases.call(KEY, OPTIONS, lease -> {
            assertThat(Thread.currentThread()).isSameAs(caller);
            return lease.isHeld() && !isFree();
        });

        assertThat(held).isTrue();
        assertThat(isFree()).isTrue();
    }

    @Test
    void theExceptionOfTheWorkIsThrownAndTheKeyReleased() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> leases.run(KEY, OPTIONS, lease -> {
                    throw new IOException("no disk");
                }));
        assertThatExceptionOfType(StackOverflowError.class)
                .isThrownBy(() -> leases.run(KEY, OPTIONS, lease -> {
                    throw new StackOverflowError("deep");
                }));

        assertThat(isFree()).isTrue();
    }

    @Test
    void aLossInterruptsTheWorkAndIsThrown() throws Exception {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> leases.call(KEY, OPTIONS, lease -> {
                    leases.evict(KEY, "a test");
                    new CountDownLatch(1).await(); // Until it is interrupted.
                    return 0;
                }))
                .satisfies(loss -> assertThat(loss.getSuppressed()).anyMatch(InterruptedException.class::isInstance));

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void workThatDoesNotNoticeTheLossFailsAtItsEnd() {
        CountDownLatch lost = new CountDownLatch(1);

        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> leases.call(KEY, OPTIONS, lease -> {
                    lease.onLost(reason -> lost.countDown());
                    leases.evict(KEY, "a test");
                    boolean noticed = false;
                    while (!noticed) {
                        try {
                            noticed = lost.await(1, TimeUnit.MINUTES);
                        } catch (InterruptedException e) {
                            noticed = false; // It goes on.
                        }
                    }
                    return 0;
                }));

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void workMayFinishItsKey() throws Exception {
        leases.call(KEY, OPTIONS, lease -> {
            lease.done();
            return 0;
        });

        assertThatExceptionOfType(NotGrantedException.class)
                .isThrownBy(() -> leases.call(KEY, OPTIONS, lease -> 0))
                .withMessageContaining("done");
    }

    @Test
    void aHeldKeyIsWaitedForAndTheWaitMayBeBounded() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> {
            try {
                return leases.call("deploy", lease -> {
                    begun.countDown();
                    mayEnd.await();
                    return 1;
                });
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        begun.await();

        assertThatExceptionOfType(NotGrantedException.class)
                .isThrownBy(() -> leases.call(KEY, OPTIONS, Duration.ofMillis(20), lease -> 2));
        mayEnd.countDown();

        assertThat(leases.<Integer>call("deploy", lease -> 3)).isEqualTo(3);
        assertThat(first.get(1, TimeUnit.MINUTES)).isEqualTo(1);
    }
}
