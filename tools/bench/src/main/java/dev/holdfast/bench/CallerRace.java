package dev.holdfast.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;

/** A load generator: concurrent callers repeat one round of work for some time, and the rounds are counted. */
public final class CallerRace {
    private static final long NANOS = 1_000_000_000L;

    private CallerRace() {}

    /** One round of work. */
    public interface Round {
        void run(long number) throws Exception;
    }

    /** One asynchronous round of work. */
    public interface AsyncRound {
        CompletionStage<?> run(long number);
    }

    /**
     * Rounds per second of asynchronous callers. Each starts its next round when the previous one completes, on the
     * thread that completed it.
     */
    public static double asyncRoundsPerSecond(
            int callers, int warmUpSeconds, int seconds, IntFunction<AsyncRound> maker)
            throws InterruptedException, ExecutionException {
        long fromNanos = System.nanoTime() + warmUpSeconds * NANOS;
        long untilNanos = fromNanos + seconds * NANOS;
        LongAdder counted = new LongAdder();
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            AsyncCaller caller = new AsyncCaller(maker.apply(i), fromNanos, untilNanos, counted);
            ends.add(caller.end);
            caller.next();
        }
        for (CompletableFuture<Void> end : ends) {
            end.get();
        }
        return (double) counted.sum() / seconds;
    }

    private static final class AsyncCaller {
        final CompletableFuture<Void> end = new CompletableFuture<>();
        private final AsyncRound round;
        private final long fromNanos;
        private final long untilNanos;
        private final LongAdder counted;
        private long number;

        AsyncCaller(AsyncRound round, long fromNanos, long untilNanos, LongAdder counted) {
            this.round = round;
            this.fromNanos = fromNanos;
            this.untilNanos = untilNanos;
            this.counted = counted;
        }

        void next() {
            round.run(number++).whenComplete((result, error) -> {
                long now = System.nanoTime();
                if (error != null) {
                    end.completeExceptionally(error);
                } else if (now - untilNanos >= 0) {
                    end.complete(null);
                } else {
                    if (now - fromNanos >= 0) {
                        counted.increment();
                    }
                    next();
                }
            });
        }
    }

    /**
     * Rounds per second of all callers together, each on its own thread. The warm-up does not count.
     *
     * @param maker creates the work of one caller
     */
    public static double roundsPerSecond(int callers, int warmUpSeconds, int seconds, IntFunction<Round> maker)
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
