package dev.holdfast.bench.compare;

/** A warm-up of a process: seconds of load until its throughput stops rising, because its JVM has compiled. */
record WarmUp(int mostSeconds) {
    /** A second must be faster than all before by this, to count as a rise. */
    private static final double RISE = 1.03;

    /** So many seconds without a rise end the warm-up. */
    private static final int PATIENCE = 4;

    /** A JVM compiles in bursts. A server and a client that wait for each other need about this long. */
    private static final int LEAST_SECONDS = 25;

    /** One second of load; returns its throughput. */
    interface Slice {
        double run(int second) throws Exception;
    }

    /** Returns the number of seconds that it took. */
    int run(Slice slice) throws Exception {
        double best = 0;
        int still = 0;
        int second = 0;
        while (second < mostSeconds && (still < PATIENCE || second < LEAST_SECONDS)) {
            double rate = slice.run(second++);
            still = rate > best * RISE ? 0 : still + 1;
            best = Math.max(best, rate);
        }
        return second;
    }
}
