package dev.holdfast.bench;

import dev.holdfast.LeaseListener;
import java.util.concurrent.atomic.LongAdder;

/** A listener that counts batches and the changes in them. */
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
