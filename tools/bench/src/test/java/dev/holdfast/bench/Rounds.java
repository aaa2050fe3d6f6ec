package dev.holdfast.bench;

import java.util.concurrent.atomic.LongAdder;

/** A count of rounds, warm-up included. */
final class Rounds {
    private final LongAdder count = new LongAdder();

    void add() {
        count.increment();
    }

    long count() {
        return count.sum();
    }
}
