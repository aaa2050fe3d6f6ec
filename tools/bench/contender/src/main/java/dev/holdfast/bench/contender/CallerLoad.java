package dev.holdfast.bench.contender;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Concurrent callers that repeat one round of work for some time. */
final class CallerLoad {
    private final long untilNanos;
    private final List<CallerTally> tallies = new ArrayList<>();
    private final long beganNanos = System.nanoTime();

    CallerLoad(long millis) {
        this.untilNanos = beganNanos + millis * 1_000_000;
    }

    /** One round of a caller; it adds to the tally what it measures. */
    interface Round {
        void run(int caller, long number, CallerTally tally) throws Exception;
    }

    /** Runs each caller on its own thread. */
    CallerLoad onThreads(int callers, Round round) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                int caller = i;
                CallerTally tally = newTally();
                ends.add(threads.submit(() -> {
                    for (long number = 0; System.nanoTime() - untilNanos < 0; number++) {
                        round.run(caller, number, tally);
                    }
                    return tally;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
            return this;
        } finally {
            threads.shutdownNow();
        }
    }

    CallerTally newTally() {
        CallerTally tally = new CallerTally(untilNanos);
        tallies.add(tally);
        return tally;
    }

    boolean isOver() {
        return System.nanoTime() - untilNanos >= 0;
    }

    List<CallerTally> tallies() {
        return tallies;
    }

    double perSecond() {
        long rounds = tallies.stream().mapToLong(CallerTally::rounds).sum();
        return rounds * 1e9 / (untilNanos - beganNanos);
    }

    DurationHistogram durations() {
        DurationHistogram all = new DurationHistogram();
        tallies.forEach(tally -> all.addAll(tally.durations()));
        return all;
    }
}
