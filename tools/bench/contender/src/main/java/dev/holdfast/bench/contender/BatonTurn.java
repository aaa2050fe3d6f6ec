package dev.holdfast.bench.contender;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One lock that processes pass on: load 4. Times are those of {@link System#nanoTime}, which on Linux is the same clock
 * in all processes of a machine.
 */
final class BatonTurn {
    private static final int SLOT = OverlapWitness.SLOTS - 2;

    private final LockContender contender;
    private final OverlapWitness witness;
    private @Nullable HeldLock held;

    BatonTurn(LockContender contender, OverlapWitness witness) {
        this.contender = contender;
        this.witness = witness;
    }

    /** Waits until the lock is granted. Returns the time of the grant. */
    long await(String name, Duration wait) throws Exception {
        held = contender.acquire(name, wait).orElseThrow();
        long granted = System.nanoTime();
        witness.enter(SLOT, 0);
        return granted;
    }

    /** Releases the lock. Returns the time before the call. */
    long release() throws Exception {
        HeldLock lock = held;
        if (lock == null) {
            throw new IllegalStateException("no lock is held");
        }
        held = null;
        witness.leave(SLOT, 0);
        long began = System.nanoTime();
        lock.release();
        return began;
    }
}
