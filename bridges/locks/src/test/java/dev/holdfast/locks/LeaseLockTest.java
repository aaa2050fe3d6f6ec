package dev.holdfast.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.NotGrantedException;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.FaultyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lock among the threads of one process, and beside another process. */
@SuppressWarnings("LockNotBeforeTry") // Tests of the states between lock and unlock.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaseLockTest {
    private static final Key KEY = Key.of("nightly");

    private final SystemEnvironment clock = new SystemEnvironment();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(clock));
    private final Leases leases = open();
    private final Leases others = open();
    private final Locks locks = Locks.of(leases);
    private final LeaseLock lock = locks.lock("nightly");

    @AfterEach
    void close() {
        leases.close();
        others.close();
        clock.close();
    }

    private Leases open() {
        return Holdfast.open(store, LeasesOptions.builder().withoutCleanUp().build());
    }

    private Lease takenByAnotherProcess() {
        return others.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
    }

    private boolean isHeld() {
        return others.get(KEY).orElseThrow().isHeld();
    }

    @Test
    void theKeyIsHeldFromLockToUnlock() {
        lock.lock();
        assertThat(isHeld()).isTrue();
        assertThat(lock.lease().orElseThrow().isHeld()).isTrue();

        lock.unlock();
        assertThat(isHeld()).isFalse();
        assertThat(lock.lease()).isEmpty();
    }

    @Test
    void aThreadLocksAgainThroughAnyLockOfTheKey() throws Exception {
        LeaseLock same = locks.lock(KEY, AcquireOptions.defaults().term(Duration.ofMinutes(1)));
        lock.lock();
        assertThat(same.tryLock()).isTrue();
        assertThat(same.tryLock(0, TimeUnit.SECONDS)).isTrue();
        same.lockInterruptibly();
        assertThat(lock.holdCount()).isEqualTo(4);

        lock.unlock();
        lock.unlock();
        same.unlock();
        assertThat(isHeld()).isTrue();
        assertThat(LockThread.call(lock::tryLock)).isFalse();
        same.unlock();
        assertThat(isHeld()).isFalse();
        assertThat(locks.size()).isZero();
    }

    @Test
    void twoSetsOfLocksExcludeEachOther() {
        LeaseLock elsewhere = Locks.of(others).lock("nightly");
        lock.lock();
        assertThat(elsewhere.tryLock()).isFalse();

        lock.unlock();
        assertThat(elsewhere.tryLock()).isTrue();
        assertThat(lock.tryLock()).isFalse();
        elsewhere.unlock();
        assertThat(locks.size()).isZero();
    }

    @Test
    void threadsOfAProcessWaitInOrderWithoutRequests() throws Exception {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<LockThread<Boolean>> waiting = new ArrayList<>();
        lock.lock();
        FaultyStore.Calls before = store.calls();
        for (int i = 0; i < 5; i++) {
            int number = i;
            LockThread<Boolean> thread = LockThread.start(() -> {
                lock.lock();
                order.add(number);
                lock.unlock();
                return true;
            });
            waiting.add(thread.awaitBlocked());
        }
        assertThat(LockThread.call(lock::tryLock)).isFalse();
        assertThat(store.calls().since(before)).isEqualTo(new FaultyStore.Calls(0, 0, 0, 0));
        assertThat(locks.size()).isOne();

        lock.unlock();
        for (LockThread<Boolean> thread : waiting) {
            assertThat(thread.join()).isTrue();
        }
        assertThat(order).containsExactly(0, 1, 2, 3, 4);
        assertThat(locks.size()).isZero();
    }

    @Test
    void onlyTheOwnerUnlocks() {
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
        lock.lock();

        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> LockThread.call(() -> {
                    assertThat(lock.lease()).isEmpty();
                    lock.unlock();
                    return true;
                }))
                .withMessage("nightly: this thread does not hold the lock");

        assertThat(isHeld()).isTrue();
        lock.unlock();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
    }

    @Test
    void anInterruptDoesNotEndLock() throws Exception {
        Lease taken = takenByAnotherProcess();
        LockThread<Boolean> waiting = LockThread.start(() -> {
            lock.lock();
            boolean isInterrupted = Thread.currentThread().isInterrupted();
            lock.unlock();
            return isInterrupted && Thread.interrupted();
        });
        waiting.awaitBlocked().thread().interrupt();
        waiting.awaitBlocked();
        assertThat(waiting.isDone()).isFalse();

        taken.close();
        assertThat(waiting.join()).as("the interrupt is kept").isTrue();
        assertThat(locks.size()).isZero();
    }

    @Test
    void anInterruptEndsLockInterruptiblyBehindAnotherProcess() throws Exception {
        try (Lease taken = takenByAnotherProcess()) {
            LockThread<Boolean> waiting = LockThread.start(() -> {
                lock.lockInterruptibly();
                return true;
            });
            waiting.awaitBlocked().thread().interrupt();

            assertThatExceptionOfType(InterruptedException.class).isThrownBy(waiting::join);
            assertThat(locks.size()).isZero();
            assertThat(taken.isHeld()).isTrue();
        }
        assertThat(lock.tryLock(1, TimeUnit.MINUTES)).isTrue();
        lock.unlock();
    }

    @Test
    void anInterruptEndsLockInterruptiblyBehindAnotherThread() {
        lock.lock();
        LockThread<Boolean> waiting = LockThread.start(() -> {
            lock.lockInterruptibly();
            return true;
        });
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> {
            waiting.awaitBlocked().thread().interrupt();
            waiting.join();
        });
        lock.unlock();
        assertThat(locks.size()).isZero();
    }

    @Test
    void anInterruptedThreadDoesNotTryWithALimit() {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> lock.tryLock(0, TimeUnit.SECONDS));

        Thread.currentThread().interrupt();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
        assertThat(locks.size()).isZero();
    }

    @Test
    void aTryWithoutTimeDoesNotWait() throws Exception {
        try (Lease taken = takenByAnotherProcess()) {
            assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isFalse();
            assertThat(lock.tryLock(-1, TimeUnit.DAYS)).isFalse();
            assertThat(lock.tryLock(10, TimeUnit.MILLISECONDS)).isFalse();
            assertThat(taken.isHeld()).isTrue();
        }
        assertThat(locks.size()).isZero();
    }

    @Test
    void aTryMayWaitForAlmostEver() throws Exception {
        Lease taken = takenByAnotherProcess();
        LockThread<Boolean> waiting = LockThread.start(() -> lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS));
        waiting.awaitBlocked();

        taken.close();

        assertThat(waiting.join()).isTrue();
    }

    @Test
    void aTryEndsBehindAnotherThread() throws Exception {
        lock.lock();
        assertThat(LockThread.call(() -> lock.tryLock(10, TimeUnit.MILLISECONDS)))
                .isFalse();
        lock.unlock();
        assertThat(locks.size()).isZero();
    }

    @Test
    void aDoneKeyIsAnErrorAndLeavesNothingLocked() {
        takenByAnotherProcess().done();

        assertThatExceptionOfType(NotGrantedException.class).isThrownBy(lock::lock);
        assertThatExceptionOfType(NotGrantedException.class).isThrownBy(lock::tryLock);
        assertThat(locks.size()).isZero();
    }

    @Test
    void aClosedClientLeavesNothingLocked() throws Exception {
        lock.lock();
        leases.close();

        lock.unlock();
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(lock::lock);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> LockThread.call(lock::tryLock));
        assertThat(locks.size()).isZero();
    }

    @Test
    void conditionsAreNotSupported() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(lock::newCondition)
                .withMessageStartingWith("nightly: a lock on a lease has no conditions");
    }

    @Test
    void manyThreadsNeverOverlap() throws Exception {
        int[] unguarded = {0};
        List<LockThread<Boolean>> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            LeaseLock own = Locks.of(i % 2 == 0 ? leases : others).lock("nightly");
            LeaseLock shared = i < 4 ? lock : own;
            threads.add(LockThread.start(() -> {
                for (int n = 0; n < 50; n++) {
                    shared.lock();
                    int value = unguarded[0];
                    LockSupport.parkNanos(1_000);
                    unguarded[0] = value + 1;
                    shared.unlock();
                }
                return true;
            }));
        }
        for (LockThread<Boolean> thread : threads) {
            assertThat(thread.join()).isTrue();
        }
        assertThat(unguarded[0]).isEqualTo(400);
        assertThat(locks.size()).isZero();
    }
}
