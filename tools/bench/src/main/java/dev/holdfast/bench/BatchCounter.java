package dev.holdfast.bench;

import dev.holdfast.LeaseListener;
import java.util.concurrent.atomic.LongAdder;

/** Counts how many changes went to the store together. */
final class BatchCounter implements LeaseListener {
    private final LongAdder batches = new LongAdder();
    private final LongAdder changes = new LongAdder();

    @Override
    public void onBatch(int size, long nanos) {
        batches.increment();
        changes.add(size);
    }

    void reset() {
        batches.reset();
        changes.reset();
    }

    long count() {
        return batches.sum();
    }

    long changes() {
        return changes.sum();
    }

    double averageSize() {
        return changes.doubleValue() / batches.doubleValue();
    }
}
