package dev.holdfast.server.operations;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerListener;
import dev.holdfast.LeaseListener;
import dev.holdfast.micrometer.LeaseMeters;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.limits.LimitListener;
import dev.holdfast.server.wire.RequestPaths;
import io.grpc.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Locale;
import java.util.function.Supplier;

/** All metrics of a server, and {@code /metrics}, which exposes them. */
final class ServerMetrics implements LimitListener {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final LeaseListener listener = LeaseMeters.of(registry);
    private final RequestMetrics requests = new RequestMetrics(registry);
    private final Meter.MeterProvider<Counter> refused = Counter.builder("holdfast.refused")
            .description("Requests and connections rejected or cut off because of a limit")
            .withRegistry(registry);

    ServerMetrics() {
        for (Limit limit : Limit.values()) {
            refused(limit); // It is exported as zero before the first one.
        }
    }

    /** The listener to set on the leases that the server serves. */
    LeaseListener listener() {
        return listener;
    }

    /** Adds a gauge that reads {@code value} at each scrape. */
    void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    @Override
    public void onStreamed(String path, Status.Code status, long nanos) {
        requests.record(path, status.name(), nanos);
    }

    @Override
    public void on(Limit limit) {
        refused(limit).increment();
    }

    private Counter refused(Limit limit) {
        return refused.withTag("limit", limit.name().toLowerCase(Locale.ROOT));
    }

    void extend(ServerBuilder server, ServedLeases leases) {
        HeldCount held = new HeldCount(leases.leases(), leases.service().environment());
        gauge(
                "holdfast.held",
                "Keys held in the store, counted once a minute, or less often if counting takes long, up to "
                        + HeldCount.MOST,
                held::last);
        server.meterRegistry(registry)
                .serverListener(ServerListener.builder()
                        .whenStopping(ending -> held.end())
                        .build())
                .service(
                        RequestPaths.METRICS,
                        (ctx, request) -> HttpResponse.of(
                                HttpStatus.OK,
                                MediaType.parse("text/plain; version=0.0.4; charset=utf-8"),
                                registry.scrape()))
                .decorator(requests::serve);
    }
}
