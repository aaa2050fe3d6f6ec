package dev.holdfast.server.operations;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.RequestGate;
import dev.holdfast.server.limits.RequestLimits;

/** The limits and metrics of requests that arrive on a call stream. */
final class CountedGate implements RequestGate {
    private final RequestLimits limits;
    private final ServerMetrics metrics;

    CountedGate(RequestLimits limits, ServerMetrics metrics) {
        this.limits = limits;
        this.metrics = metrics;
    }

    @Override
    public Passing enter(ServiceRequestContext ctx, String path) {
        Runnable leaving = limits.begin(ctx);
        long start = System.nanoTime();
        return status -> {
            leaving.run();
            metrics.request(path, status.name(), System.nanoTime() - start);
        };
    }
}
