package dev.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.LostReason;
import dev.holdfast.NotGrantedException;
import dev.holdfast.StoreException;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The provider on manual time, where it is exact. */
class HoldfastLockProviderTest {
    private static final Key KEY = Key.of("shedlock", "report");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration TEN = Duration.ofSeconds(10);

    private final ManualClock clock = new ManualClock();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(clock));
    private final Leases leases = open();
    private final Leases others = open();
    private final List<String> losses = new ArrayList<>();
    private final HoldfastLockProvider provider =
            new HoldfastLockProvider(leases).onLost((key, reason) -> losses.add(key + " " + reason));

    @AfterEach
    void close() {
        leases.close();
        others.close();
        clock.close();
    }

    private Leases open() {
        return Holdfast.open(store, LeasesOptions.builder().environment(clock).build());
    }

    private static LockConfiguration configuration(Duration atMost, Duration atLeast) {
        return new LockConfiguration(Instant.now(), "report", atMost, atLeast);
    }

    private SimpleLock lock(Duration atMost, Duration atLeast) {
        return provider.lock(configuration(atMost, atLeast)).orElseThrow();
    }

    private boolean isHeld() {
        return others.get(KEY).map(LeaseStatus::isHeld).orElse(false);
    }

    @Test
    void aLockIsAKeyThatOthersSee() {
        SimpleLock lock = lock(MINUTE, Duration.ZERO);

        assertThat(isHeld()).isTrue();
        assertThat(new HoldfastLockProvider(others).lock(configuration(MINUTE, Duration.ZERO)))
                .isEmpty();

        lock.unlock();
        assertThat(isHeld()).isFalse();
    }

    @Test
    void aLockIsNotRenewed() {
        lock(MINUTE, Duration.ZERO);

        clock.advance(Duration.ofSeconds(59));
        assertThat(isHeld()).isTrue();
        clock.advance(Duration.ofSeconds(2));
        assertThat(isHeld()).isFalse();
    }

    @Test
    void anEarlyUnlockLeavesTheRestOfLockAtLeastFor() {
        SimpleLock lock = lock(MINUTE, TEN);
        clock.advance(Duration.ofSeconds(4));

        lock.unlock();

        clock.advance(Duration.ofMillis(5_900));
        assertThat(isHeld()).isTrue();
        clock.advance(Duration.ofMillis(200));
        assertThat(isHeld()).isFalse();
        assertThat(losses).isEmpty();
    }

    @Test
    void aLateUnlockReleasesAtOnce() {
        SimpleLock lock = lock(MINUTE, TEN);
        clock.advance(Duration.ofSeconds(11));

        lock.unlock();

        assertThat(isHeld()).isFalse();
    }

    @Test
    void anExpiredLockIsNotExtendedThoughNoOtherHasIt() {
        SimpleLock lock = lock(TEN, Duration.ZERO);
        clock.advance(TEN);

        assertThat(lock.extend(MINUTE, Duration.ZERO)).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        assertThat(isHeld()).isFalse();
    }

    @Test
    void anExtendedLockHasTheNewTimes() {
        SimpleLock lock = lock(TEN, Duration.ZERO);
        clock.advance(Duration.ofSeconds(9));

        SimpleLock extended = lock.extend(MINUTE, TEN).orElseThrow();

        clock.advance(Duration.ofSeconds(5));
        extended.unlock();
        assertThat(isHeld()).isTrue();
        clock.advance(Duration.ofSeconds(6));
        assertThat(isHeld()).isFalse();
    }

    @Test
    void anExtensionMayBeShorter() {
        SimpleLock extended =
                lock(MINUTE, Duration.ZERO).extend(TEN, Duration.ZERO).orElseThrow();

        clock.advance(Duration.ofSeconds(11));

        assertThat(isHeld()).isFalse();
        assertThat(extended.extend(MINUTE, Duration.ZERO)).isEmpty();
    }

    @Test
    void anEvictedLockIsNotExtended() {
        SimpleLock lock = lock(MINUTE, Duration.ZERO);
        others.evict(KEY, "a test");

        assertThat(lock.extend(MINUTE, Duration.ZERO)).isEmpty();
    }

    @Test
    void aLossIsReportedAndLeavesTheNextHolderAlone() {
        SimpleLock lock = lock(TEN, Duration.ZERO);
        clock.advance(Duration.ofSeconds(11));
        Optional<SimpleLock> next = new HoldfastLockProvider(others).lock(configuration(MINUTE, Duration.ZERO));

        lock.unlock();

        assertThat(losses).containsExactly(KEY + " " + LostReason.TAKEN);
        assertThat(isHeld()).isTrue();
        next.orElseThrow().unlock();
        assertThat(isHeld()).isFalse();
    }

    @Test
    void anOverdueUnlockIsNoLossIfNoOtherHadTheLock() {
        SimpleLock lock = lock(TEN, Duration.ZERO);
        clock.advance(Duration.ofSeconds(11));

        lock.unlock();

        assertThat(losses).isEmpty();
    }

    @Test
    void closingTheClientLeavesTheLockToItsTask() {
        lock(MINUTE, Duration.ZERO);

        leases.close();

        assertThat(isHeld()).isTrue();
    }

    @Test
    void lockAtMostForIsAWeekAtMost() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock(Duration.ofDays(8), Duration.ZERO))
                .withMessage("lockAtMostFor: PT192H (expected: > PT0S and <= P7D) of lock 'report'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock(Duration.ZERO, Duration.ZERO))
                .withMessageStartingWith("lockAtMostFor: PT0S");
        lock(Duration.ofDays(7), Duration.ZERO);
    }

    @Test
    void partsOfAMillisecondAreRoundedUp() {
        lock(Duration.ofNanos(1_500_000), Duration.ofNanos(1)).unlock();

        assertThat(others.get(KEY)).isPresent();
    }

    @Test
    void aDoneKeyIsAnError() {
        leases.tryAcquire(KEY, AcquireOptions.defaults()).orThrow().done();

        assertThatExceptionOfType(NotGrantedException.class).isThrownBy(() -> lock(MINUTE, Duration.ZERO));
    }

    @Test
    void namespacesKeepApplicationsApart() {
        lock(MINUTE, Duration.ZERO);

        assertThat(provider.namespace("billing").lock(configuration(MINUTE, Duration.ZERO)))
                .isPresent();
        assertThat(others.get(Key.of("billing", "report")).orElseThrow().isHeld())
                .isTrue();
    }

    @Test
    void aTaskExtendsItsLockFromInside() {
        new DefaultLockingTaskExecutor(provider)
                .executeWithLock(
                        (Runnable) () -> {
                            LockExtender.extendActiveLock(MINUTE, Duration.ZERO);
                            clock.advance(Duration.ofSeconds(30));
                            assertThat(isHeld()).isTrue();
                        },
                        configuration(TEN, Duration.ZERO));

        assertThat(isHeld()).isFalse();
        assertThat(losses).isEmpty();
    }

    @Test
    void aKeepAliveProviderKeepsTheLock() {
        List<Runnable> extensions = new ArrayList<>();
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(0) {
            @Override
            public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long delay, long period, TimeUnit unit) {
                extensions.add(task);
                return super.schedule(() -> {}, 1, TimeUnit.DAYS);
            }
        };
        SimpleLock lock = new KeepAliveLockProvider(provider, timer)
                .lock(configuration(MINUTE, Duration.ZERO))
                .orElseThrow();

        for (int i = 0; i < 3; i++) {
            clock.advance(Duration.ofSeconds(40));
            extensions.get(0).run();
        }
        assertThat(isHeld()).isTrue();

        lock.unlock();
        assertThat(isHeld()).isFalse();
        timer.shutdownNow();
    }

    @Test
    void aFailedUnlockCanBeRepeated() {
        SimpleLock lock = lock(MINUTE, TEN);
        store.always(FaultyStore.Call.APPLY, StoreFault.REJECT);
        assertThatExceptionOfType(StoreException.class).isThrownBy(lock::unlock);
        assertThat(isHeld()).isTrue();

        store.heal();
        lock.unlock();
        clock.advance(Duration.ofSeconds(11));
        assertThat(isHeld()).isFalse();
    }
}
