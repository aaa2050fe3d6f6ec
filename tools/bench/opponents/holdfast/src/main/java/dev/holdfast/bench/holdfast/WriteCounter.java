package dev.holdfast.bench.holdfast;

import dev.holdfast.LeaseListener;
import dev.holdfast.bench.contender.StoreCounts;
import java.util.concurrent.atomic.LongAdder;

/** A listener that counts the batches that a client sends to its store, and the changes in them. */
final class WriteCounter implements LeaseListener {
    private final LongAdder batches = new LongAdder();
    private final LongAdder changes = new LongAdder();

    @Override
    public void onBatch(int size, long nanos) {
        batches.increment();
        changes.add(size);
    }

    StoreCounts counts() {
        return new StoreCounts(batches.sum(), changes.sum());
    }
}
