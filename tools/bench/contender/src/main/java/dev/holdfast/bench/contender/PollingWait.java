package dev.holdfast.bench.contender;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The wait of clients that have none of their own: an attempt every 5 to 15 ms. */
public final class PollingWait {
    private static final long LEAST_MICROS = 5_000;
    private static final long MOST_MICROS = 15_000;

    private PollingWait() {}

    static Optional<HeldLock> acquire(LockContender contender, String name, Duration wait) throws Exception {
        long untilNanos = System.nanoTime() + wait.toNanos();
        Optional<HeldLock> lock = contender.tryAcquire(name);
        while (lock.isEmpty() && System.nanoTime() - untilNanos < 0) {
            TimeUnit.MICROSECONDS.sleep(ThreadLocalRandom.current().nextLong(LEAST_MICROS, MOST_MICROS));
            lock = contender.tryAcquire(name);
        }
        return lock;
    }

    /** The mean pause between two attempts, for clients that poll by themselves. */
    public static Duration meanPause() {
        return Duration.of((LEAST_MICROS + MOST_MICROS) / 2, java.time.temporal.ChronoUnit.MICROS);
    }
}
