package dev.holdfast.server.edge;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.Turnstile;
import dev.holdfast.server.limit.RequestLimits;
import dev.holdfast.server.metrics.ServerMetrics;

/** The limits and the metrics of all requests, for those that come many to a stream. */
final class CountedTurnstile implements Turnstile {
    private final RequestLimits limits;
    private final ServerMetrics metrics;

    CountedTurnstile(RequestLimits limits, ServerMetrics metrics) {
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
