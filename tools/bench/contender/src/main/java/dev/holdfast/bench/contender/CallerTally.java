package dev.holdfast.bench.contender;

/** The rounds of one caller. Rounds that end after the time is over do not count. */
final class CallerTally {
    private final DurationHistogram durations = new DurationHistogram();
    private final long untilNanos;
    private long rounds;

    CallerTally(long untilNanos) {
        this.untilNanos = untilNanos;
    }

    /** Counts a round that ends now. */
    void addRound(long durationNanos) {
        if (System.nanoTime() - untilNanos < 0) {
            durations.add(durationNanos);
            rounds++;
        }
    }

    long rounds() {
        return rounds;
    }

    DurationHistogram durations() {
        return durations;
    }
}
