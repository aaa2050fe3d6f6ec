package dev.holdfast.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.LostReason;
import dev.holdfast.StoreException;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lock that is lost while it is held, on manual time. */
@SuppressWarnings("LockNotBeforeTry") // Tests of the states between lock and unlock.
class LostLockTest {
    private static final Key KEY = Key.of("nightly");
    private static final Duration TERM = Duration.ofSeconds(30);

    private final ManualClock clock = new ManualClock();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(clock));
    private final Leases leases = open();
    private final Leases others = open();
    private final List<LostReason> losses = new CopyOnWriteArrayList<>();
    private final Locks locks = Locks.of(leases).onLost((key, reason) -> losses.add(reason));
    private final LeaseLock lock = locks.lock(KEY);
    private final LeaseLock unrenewed =
            locks.lock(KEY, AcquireOptions.defaults().term(TERM).autoRenew(false));

    @AfterEach
    void close() {
        leases.close();
        others.close();
        clock.close();
    }

    private Leases open() {
        return open(store);
    }

    private Leases open(FaultyStore opened) {
        return Holdfast.open(
                opened,
                LeasesOptions.builder().environment(clock).withoutCleanUp().build());
    }

    private boolean isHeld() {
        return others.get(KEY).orElseThrow().isHeld();
    }

    private Lease takeByForce() {
        others.evict(KEY, "a test");
        return others.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
    }

    private static LostReason lossOf(Runnable call) {
        try {
            call.run();
        } catch (LeaseLostException e) {
            return e.reason();
        }
        throw new AssertionError("no loss");
    }

    @Test
    void aLockIsRenewedWhileItIsHeld() {
        lock.lock();
        clock.advance(Duration.ofMinutes(10));

        assertThat(isHeld()).isTrue();
        lock.unlock();
        assertThat(isHeld()).isFalse();
        assertThat(losses).isEmpty();
    }

    @Test
    void aLossIsReportedAtOnceAndThrownByUnlock() {
        lock.lock();
        Lease next = takeByForce();
        clock.advance(TERM);

        assertThat(losses).containsExactly(LostReason.TAKEN);
        assertThat(lossOf(lock::unlock)).isEqualTo(LostReason.TAKEN);
        assertThat(next.isHeld()).isTrue();
        assertThat(locks.size()).isZero();
    }

    @Test
    void aLossThatIsNotNoticedYetIsThrownByUnlock() {
        lock.lock();
        takeByForce();

        assertThat(lossOf(lock::unlock)).isEqualTo(LostReason.TAKEN);
        assertThat(locks.size()).isZero();
    }

    @Test
    void aLostLockCanBeLockedAgainOnceItIsUnlocked() {
        unrenewed.lock();
        clock.advance(TERM.plusSeconds(1));

        assertThat(lossOf(unrenewed::lock)).isEqualTo(LostReason.EXPIRED);
        assertThat(lossOf(unrenewed::tryLock)).isEqualTo(LostReason.EXPIRED);
        assertThat(unrenewed.holdCount()).isOne();
        assertThat(lossOf(unrenewed::unlock)).isEqualTo(LostReason.EXPIRED);

        unrenewed.lock();
        assertThat(unrenewed.lease().orElseThrow().isHeld()).isTrue();
        unrenewed.unlock();
        assertThat(losses).containsExactly(LostReason.EXPIRED);
        assertThat(locks.size()).isZero();
    }

    @Test
    void onlyTheLastUnlockThrowsTheLoss() {
        unrenewed.lock();
        unrenewed.lock();
        clock.advance(TERM.plusSeconds(1));

        unrenewed.unlock();
        assertThat(lossOf(unrenewed::unlock)).isEqualTo(LostReason.EXPIRED);
    }

    @Test
    void aLeaseThatItsOwnerEndedIsNoLoss() {
        lock.lock();
        lock.lease().orElseThrow().done();

        lock.unlock();

        assertThat(locks.size()).isZero();
        assertThat(losses).isEmpty();
    }

    @Test
    void aFailedReleaseUnlocksHere() {
        lock.lock();
        store.always(FaultyStore.Call.APPLY, StoreFault.REJECT);

        lock.unlock();

        assertThat(locks.size()).isZero();
        store.heal();
        clock.advance(TERM.plusSeconds(1));
        assertThat(isHeld()).isFalse();
    }

    @Test
    void aFailedAcquireLeavesNothingLocked() {
        store.always(FaultyStore.Call.APPLY, StoreFault.REJECT);

        assertThatExceptionOfType(StoreException.class).isThrownBy(lock::lock);

        assertThat(locks.size()).isZero();
    }

    @Test
    void aRenewalBeginsANewTerm() {
        unrenewed.lock();
        clock.advance(Duration.ofSeconds(20));
        unrenewed.renew();
        clock.advance(Duration.ofSeconds(20));

        assertThat(unrenewed.lease().orElseThrow().isHeld()).isTrue();
        unrenewed.unlock();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(unrenewed::renew);
    }

    @Test
    void aRenewalWithATermBoundsTheLock() {
        lock.lock();
        lock.renew(Duration.ofMinutes(2));
        assertThat(lock.lease()).isEmpty();

        clock.advance(Duration.ofSeconds(110));
        assertThat(isHeld()).isTrue();
        lock.renew();
        clock.advance(Duration.ofSeconds(110));
        assertThat(isHeld()).isTrue();
        assertThat(losses).isEmpty();

        clock.advance(Duration.ofSeconds(20));
        assertThat(losses).containsExactly(LostReason.EXPIRED);
        assertThat(isHeld()).isFalse();
        assertThat(lossOf(lock::renew)).isEqualTo(LostReason.EXPIRED);
        assertThat(lossOf(lock::tryLock)).isEqualTo(LostReason.EXPIRED);
        assertThat(lossOf(lock::unlock)).isEqualTo(LostReason.EXPIRED);
        assertThat(locks.size()).isZero();
        assertThat(losses).hasSize(1);
    }

    @Test
    void aBoundedLockIsReleasedByUnlock() {
        lock.lock();
        lock.renew(Duration.ofMinutes(2));

        lock.unlock();

        assertThat(isHeld()).isFalse();
        clock.advance(Duration.ofMinutes(3));
        assertThat(losses).isEmpty();
    }

    @Test
    void aRenewalOfATakenLockIsALoss() {
        lock.lock();
        lock.renew(Duration.ofMinutes(2));
        takeByForce();

        assertThat(lossOf(lock::renew)).isEqualTo(LostReason.TAKEN);
        clock.advance(Duration.ofSeconds(1));
        assertThat(losses).containsExactly(LostReason.TAKEN);
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lock::unlock);
        assertThat(isHeld()).isTrue();
    }

    @Test
    void aBadTermChangesNothing() {
        lock.lock();

        assertThatIllegalArgumentException().isThrownBy(() -> lock.renew(Duration.ofDays(8)));

        clock.advance(Duration.ofMinutes(10));
        assertThat(lock.lease().orElseThrow().isHeld()).isTrue();
        lock.unlock();
    }

    @Test
    void anUnansweredRenewalCountsOnTheShorterTerm() {
        lock.lock();
        store.always(FaultyStore.Call.APPLY, StoreFault.REJECT);
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> lock.renew(Duration.ofMinutes(2)));
        store.heal();

        clock.advance(TERM);

        assertThat(losses).containsExactly(LostReason.STORE_UNREACHABLE);
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lock::unlock);
        assertThat(locks.size()).isZero();
    }

    @Test
    void aRenewalThatIsAnsweredAfterTheLossComesTooLate() throws Exception {
        FaultyStore slow = FaultyStore.around(new MemoryStore(clock, 1, true));
        try (Leases slowLeases = open(slow)) {
            LeaseLock slowLock = Locks.of(slowLeases)
                    .onLost((key, reason) -> losses.add(reason))
                    .lock(KEY, AcquireOptions.defaults().term(TERM).autoRenew(false));
            LockThread<Boolean> renewing = LockThread.start(() -> {
                slowLock.lock();
                clock.advance(Duration.ofSeconds(25));
                slow.hold();
                assertThat(lossOf(() -> slowLock.renew(Duration.ofMinutes(2)))).isEqualTo(LostReason.STORE_UNREACHABLE);
                assertThat(lossOf(slowLock::unlock)).isEqualTo(LostReason.EXPIRED);
                return true;
            });
            while (slow.waiting() == 0) {
                Thread.sleep(5);
            }
            clock.advance(Duration.ofSeconds(8));
            assertThat(losses).containsExactly(LostReason.STORE_UNREACHABLE);
            slow.letGo();

            assertThat(renewing.join()).isTrue();
            clock.advance(Duration.ofMinutes(3));
            assertThat(losses).hasSize(1);
        }
    }
}
