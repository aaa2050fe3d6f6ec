package dev.holdfast.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Lets some callers do one thing again and again for a while, each on a thread of its own, and counts. */
final class Race {
    private static final long NANOS = 1_000_000_000L;

    private Race() {}

    /** Does one round of work. */
    interface Round {
        void run(long number) throws Exception;
    }

    /**
     * How many rounds per second all callers did together; a first stretch, for warming up, does not count.
     *
     * @param maker makes the work of one caller
     */
    static double roundsPerSecond(int callers, int warmUpSeconds, int seconds, IntFunction<Round> maker)
            throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try {
            long fromNanos = System.nanoTime() + warmUpSeconds * NANOS;
            long untilNanos = fromNanos + seconds * NANOS;
            List<Callable<Long>> work = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                Round round = maker.apply(i);
                work.add(() -> count(round, fromNanos, untilNanos));
            }
            long total = 0;
            for (Future<Long> caller : threads.invokeAll(work)) {
                total += caller.get();
            }
            return (double) total / seconds;
        } finally {
            threads.shutdownNow();
        }
    }

    private static long count(Round round, long fromNanos, long untilNanos) throws Exception {
        long counted = 0;
        long number = 0;
        long now = System.nanoTime();
        while (now - untilNanos < 0) {
            round.run(number++);
            now = System.nanoTime();
            if (now - fromNanos >= 0 && now - untilNanos < 0) {
                counted++;
            }
        }
        return counted;
    }
}
