package dev.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.LostReason;
import dev.holdfast.locks.BridgeStore;
import dev.holdfast.locks.LockThread;
import java.io.IOException;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.integration.support.locks.DistributedLock;

/** The behaviour of a lock registry, on one store. The tests are of the same kind as those of Spring's JDBC registry. */
@SuppressWarnings("LockNotBeforeTry") // Tests of the states between lock and unlock.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class LockRegistrySuite {
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final BridgeStore store;
    private final Leases leases;
    private final List<LostReason> losses = new CopyOnWriteArrayList<>();
    private final HoldfastLockRegistry registry;
    private final HoldfastLockRegistry elsewhere;

    LockRegistrySuite(BridgeStore.Backend backend) {
        this.store = BridgeStore.of(backend);
        this.leases = store.client();
        this.registry = new HoldfastLockRegistry(leases).onLost((key, reason) -> losses.add(reason));
        this.elsewhere = new HoldfastLockRegistry(store.client());
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    /** Waits until another process has the lock, which it gets when the lock has expired. */
    private static void takenBy(DistributedLock lock) throws Exception {
        assertThat(LockThread.call(() -> lock.tryLock(60, TimeUnit.SECONDS))).isTrue();
    }

    /** Callbacks run on a thread of their own. */
    private void assertLost(LostReason reason) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (losses.isEmpty() && System.nanoTime() < deadlineNanos) {
            Thread.sleep(5);
        }
        assertThat(losses).containsExactly(reason);
    }

    private boolean isTakenElsewhere(String key) throws Exception {
        return !LockThread.call(() -> registry.obtain(key).tryLock());
    }

    @Test
    void aKeyHasOneLockThatIsReentrant() throws Exception {
        DistributedLock lock = registry.obtain("a");
        assertThat(registry.obtain("a")).isSameAs(lock);
        for (int i = 0; i < 3; i++) {
            lock.lock();
            lock.lockInterruptibly();
            assertThat(lock.tryLock()).isTrue();
            assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
            assertThat(lock.tryLock(Duration.ofSeconds(1), LONG)).isTrue();
            for (int n = 0; n < 4; n++) {
                lock.unlock();
            }
            assertThat(elsewhere.obtain("a").tryLock()).isFalse();
            lock.unlock();
        }
        assertThat(elsewhere.obtain("a").tryLock()).isTrue();
    }

    @Test
    void locksOfTwoKeysAreIndependent() {
        registry.obtain("a").lock();

        assertThat(elsewhere.obtain("b").tryLock()).isTrue();
        assertThat(new HoldfastLockRegistry(leases, "billing").obtain("a").tryLock())
                .isTrue();
    }

    @Test
    void anotherThreadNeitherLocksNorUnlocks() throws Exception {
        DistributedLock lock = registry.obtain("a");
        lock.lock();

        assertThat(LockThread.call(() -> registry.obtain("a").tryLock())).isFalse();
        assertThat(LockThread.call(() -> registry.obtain("a").tryLock(10, TimeUnit.MILLISECONDS)))
                .isFalse();
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> LockThread.call(() -> {
                    lock.unlock();
                    return true;
                }));

        lock.unlock();
        assertThat(LockThread.call(() -> registry.obtain("a").tryLock())).isTrue();
    }

    @Test
    void twoRegistriesExcludeEachOther() throws Exception {
        DistributedLock lock = registry.obtain("a");
        lock.lock();
        LockThread<Boolean> waiting = LockThread.start(() -> {
            elsewhere.obtain("a").lockInterruptibly();
            elsewhere.obtain("a").unlock();
            return true;
        });
        waiting.awaitBlocked();
        assertThat(elsewhere.obtain("a").tryLock(Duration.ZERO, LONG)).isFalse();

        lock.unlock();

        assertThat(waiting.join()).isTrue();
    }

    @Test
    void aLockIsRenewedInTheBackground() throws Exception {
        AcquireOptions options = AcquireOptions.defaults().term(Duration.ofSeconds(3));
        DistributedLock lock = new HoldfastLockRegistry(leases, "short", options).obtain("a");
        lock.lock();

        DistributedLock other = new HoldfastLockRegistry(store.client(), "short", options).obtain("a");
        assertThat(other.tryLock(4, TimeUnit.SECONDS)).isFalse();

        lock.unlock();
        assertThat(other.tryLock()).isTrue();
    }

    @Test
    void aLockWithATimeToLiveIsLostAfterIt() throws Exception {
        DistributedLock lock = registry.obtain("a");
        lock.lock(SHORT);
        takenBy(elsewhere.obtain("a"));

        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(lock::unlock)
                .withCauseInstanceOf(LeaseLostException.class)
                .withMessageStartingWith("lock-registry/a: the lock was lost while it was held");

        assertLost(LostReason.EXPIRED);
        assertThat(isTakenElsewhere("a")).isTrue();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
    }

    @Test
    void aTryWithATimeToLiveIsBoundedToo() throws Exception {
        DistributedLock lock = registry.obtain("a");
        assertThat(lock.tryLock(Duration.ofSeconds(1), SHORT)).isTrue();
        takenBy(elsewhere.obtain("a"));

        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
    }

    @Test
    void anEvictedLockIsLost() {
        DistributedLock lock = registry.obtain("a");
        lock.lock();
        leases.evict(Key.of(HoldfastLockRegistry.DEFAULT_NAMESPACE, "a"), "a test");
        assertThat(elsewhere.obtain("a").tryLock()).isTrue();

        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
    }

    @Test
    void aRenewalWithATimeToLivePutsOffTheEnd() throws Exception {
        DistributedLock lock = registry.obtain("a");
        lock.lock(Duration.ofSeconds(2));
        registry.renewLock("a", LONG);

        assertThat(elsewhere.obtain("a").tryLock(3, TimeUnit.SECONDS)).isFalse();

        lock.unlock();
        assertThat(elsewhere.obtain("a").tryLock()).isTrue();
        assertThat(losses).isEmpty();
    }

    @Test
    void aRenewalBeginsTheSameTimeToLiveAgain() throws Exception {
        DistributedLock lock = registry.obtain("a");
        lock.lock(Duration.ofSeconds(3));
        for (int i = 0; i < 4; i++) {
            assertThat(elsewhere.obtain("a").tryLock(1, TimeUnit.SECONDS)).isFalse();
            registry.renewLock("a");
        }
        lock.unlock();
    }

    @Test
    void aRenewalWithAShorterTimeToLiveEndsEarlier() throws Exception {
        DistributedLock lock = registry.obtain("a");
        lock.lock();
        registry.renewLock("a", SHORT);
        takenBy(elsewhere.obtain("a"));

        assertThatIllegalStateException().isThrownBy(() -> registry.renewLock("a"));
        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
        assertLost(LostReason.EXPIRED);
    }

    @Test
    void onlyTheOwnerRenews() throws Exception {
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> registry.renewLock("a"));
        registry.obtain("a").lock();

        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> LockThread.call(() -> {
                    registry.renewLock("a", LONG);
                    return true;
                }));
    }

    @Test
    void unusedLocksAreDropped() {
        DistributedLock unused = registry.obtain("unused");
        DistributedLock released = registry.obtain("released");
        DistributedLock locked = registry.obtain("locked");
        released.lock();
        released.unlock();
        locked.lock();

        registry.expireUnusedOlderThan(600_000);
        assertThat(registry.obtain("unused")).isSameAs(unused);

        registry.expireUnusedOlderThan(0);
        assertThat(registry.obtain("unused")).isNotSameAs(unused);
        assertThat(registry.obtain("released")).isNotSameAs(released);
        assertThat(registry.obtain("locked")).isSameAs(locked);
        locked.unlock();
    }

    @Test
    void aLockThatWasDroppedStillExcludes() throws Exception {
        DistributedLock lock = registry.obtain("a");
        lock.lock();
        for (int i = 0; i < 300; i++) {
            registry.obtain("other-" + i);
        }
        assertThat(registry.obtain("a")).isNotSameAs(lock);
        assertThat(LockThread.call(() -> registry.obtain("a").tryLock())).isFalse();

        registry.obtain("a").unlock();
        assertThat(LockThread.call(() -> registry.obtain("a").tryLock())).isTrue();
    }

    @Test
    void anInterruptEndsTheWait() {
        elsewhere.obtain("a").lock();
        LockThread<Boolean> waiting = LockThread.start(() -> {
            registry.obtain("a").lockInterruptibly();
            return true;
        });

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> {
            waiting.awaitBlocked().thread().interrupt();
            waiting.join();
        });

        elsewhere.obtain("a").unlock();
        registry.obtain("a").lock();
        registry.obtain("a").unlock();
    }

    @Test
    void workRunsUnderTheLock() throws Exception {
        assertThat(registry.<Boolean, RuntimeException>executeLocked(
                        "a", () -> elsewhere.obtain("a").tryLock()))
                .isFalse();
        elsewhere.obtain("a").lock();
        assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> registry.executeLocked("a", Duration.ofMillis(10), () -> {}));
    }

    @Test
    void wrongUseIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.obtain(42))
                .withMessage("lockKey: 42 (expected: a String)");
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> registry.obtain("a").newCondition());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.obtain("a").lock(Duration.ofDays(8)));
    }
}
