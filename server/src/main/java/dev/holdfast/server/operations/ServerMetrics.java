package dev.holdfast.server.operations;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServerBuilder;
import dev.holdfast.LeaseListener;
import dev.holdfast.server.ServerComponents;
import dev.holdfast.server.ServerExtension;
import dev.holdfast.server.limits.RefusalListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

/** All metrics of a server, and {@code /metrics}, which exposes them. */
public final class ServerMetrics implements ServerExtension, RefusalListener {
    private static final String PATH = "/metrics";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final LeaseListener listener = new LeaseMetrics(registry);
    private final RequestMetrics requests = new RequestMetrics(registry);
    private final Map<Limit, Counter> refused = new EnumMap<>(Limit.class);

    public ServerMetrics() {
        for (Limit limit : Limit.values()) {
            refused.put(
                    limit,
                    Counter.builder("holdfast.refused")
                            .description("Requests and connections rejected or cut off because of a limit")
                            .tag("limit", limit.label())
                            .register(registry));
        }
    }

    /** Whether {@code path} is the path of the metrics. */
    public static boolean isPath(String path) {
        return path.equals(PATH);
    }

    /** The listener to set on the leases that the server serves. */
    public LeaseListener listener() {
        return listener;
    }

    /** Adds a gauge that reads {@code value} at each scrape. */
    public void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    /** Counts a request on a call stream. */
    public void request(String route, String status, long nanos) {
        requests.record(route, status, nanos);
    }

    @Override
    public void on(Limit limit) {
        Counter counter = refused.get(limit);
        if (counter != null) {
            counter.increment();
        }
    }

    @Override
    public void extend(ServerBuilder server, ServerComponents parts) {
        HeldCount held = new HeldCount(parts.leases().async(), parts.service().environment());
        gauge(
                "holdfast.held",
                "Keys held in the store, counted once a minute, or less often if counting takes long, up to "
                        + HeldCount.MOST,
                held::last);
        server.meterRegistry(registry)
                .serverListener(held.ending())
                .service(
                        PATH,
                        (ctx, request) -> HttpResponse.of(
                                HttpStatus.OK,
                                MediaType.parse("text/plain; version=0.0.4; charset=utf-8"),
                                registry.scrape()))
                .decorator(requests::serve);
    }
}
