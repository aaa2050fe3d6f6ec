package dev.holdfast.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Key;
import dev.holdfast.Leases;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks of two processes, on all kinds of stores and through a server. */
@SuppressWarnings("LockNotBeforeTry") // Tests of the states between lock and unlock.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LockStoresTest {
    @ParameterizedTest
    @EnumSource
    void aWaitingProcessIsGrantedTheLockWhenItIsUnlocked(BridgeStore.Backend backend) throws Exception {
        try (BridgeStore store = BridgeStore.of(backend)) {
            LeaseLock here = Locks.of(store.client()).lock("nightly");
            LeaseLock there = Locks.of(store.client()).lock("nightly");
            here.lock();
            here.lock();
            assertThat(there.tryLock()).isFalse();
            assertThat(there.tryLock(10, TimeUnit.MILLISECONDS)).isFalse();
            LockThread<Boolean> waiting = LockThread.start(() -> {
                there.lock();
                there.unlock();
                return true;
            });
            waiting.awaitBlocked();

            here.unlock();
            assertThat(waiting.isDone()).isFalse();
            here.unlock();

            assertThat(waiting.join()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void threadsOfTwoProcessesNeverOverlap(BridgeStore.Backend backend) throws Exception {
        int[] unguarded = {0};
        try (BridgeStore store = BridgeStore.of(backend)) {
            Leases observer = store.client();
            List<Locks> processes = List.of(Locks.of(store.client()), Locks.of(store.client()));
            List<LockThread<Boolean>> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                LeaseLock lock = processes.get(i % 2).lock("nightly");
                threads.add(LockThread.start(() -> {
                    for (int n = 0; n < 10; n++) {
                        lock.lock();
                        int value = unguarded[0];
                        LockSupport.parkNanos(1_000);
                        unguarded[0] = value + 1;
                        lock.unlock();
                    }
                    return true;
                }));
            }
            for (LockThread<Boolean> thread : threads) {
                assertThat(thread.join()).isTrue();
            }
            assertThat(observer.get(Key.of("nightly")).orElseThrow().isHeld()).isFalse();
            assertThat(processes).allMatch(locks -> locks.size() == 0);
        }
        assertThat(unguarded[0]).isEqualTo(40);
    }
}
