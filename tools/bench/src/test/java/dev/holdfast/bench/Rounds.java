package dev.holdfast.bench;

import java.util.concurrent.atomic.LongAdder;

/** How many rounds there were, warming up included. */
final class Rounds {
    private final LongAdder count = new LongAdder();

    void add() {
        count.increment();
    }

    long count() {
        return count.sum();
    }
}
