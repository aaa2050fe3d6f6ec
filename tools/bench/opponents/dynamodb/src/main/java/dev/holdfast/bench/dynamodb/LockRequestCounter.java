package dev.holdfast.bench.dynamodb;

import dev.holdfast.bench.contender.StoreCounts;
import java.util.concurrent.atomic.LongAdder;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/** Counts the requests of a client of DynamoDB; all but reads are writes. */
final class LockRequestCounter implements ExecutionInterceptor {
    private final LongAdder requests = new LongAdder();
    private final LongAdder writes = new LongAdder();

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        requests.increment();
        if (!(context.request() instanceof GetItemRequest)) {
            writes.increment();
        }
    }

    StoreCounts counts() {
        return new StoreCounts(requests.sum(), writes.sum());
    }
}
