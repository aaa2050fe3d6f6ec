package dev.holdfast.server.metrics;

import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.internal.Futures;
import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Counts requests and how long they took, by what was asked and what came of it. */
final class RequestMetrics {
    private final MeterRegistry registry;
    /** As many as there are routes and statuses. */
    private final Map<Kind, Timer> timers = new ConcurrentHashMap<>();

    private record Kind(String route, String status) {}

    RequestMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request) throws Exception {
        Futures.whenDone(ctx.log().whenComplete(), (log, error) -> {
            if (log != null) {
                record(route(ctx), status(log), log.totalDurationNanos());
            }
        });
        return service.serve(ctx, request);
    }

    void record(String route, String status, long nanos) {
        timers.computeIfAbsent(new Kind(route, status), this::timer).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Kind kind) {
        return Timer.builder("holdfast.requests")
                .description("Requests, and how long they took, waiting included")
                .tag("route", kind.route())
                .tag("status", kind.status())
                .serviceLevelObjectives(LeaseMetrics.seconds(0.001, 0.005, 0.02, 0.1, 1, 10, 60))
                .register(registry);
    }

    /** That of the service, not the path itself: there are as many paths as keys. */
    private static String route(ServiceRequestContext ctx) {
        String pattern = ctx.config().route().patternString();
        return pattern.isEmpty() ? "other" : pattern;
    }

    private static String status(RequestLog log) {
        String code = grpc(log.responseTrailers());
        if (code == null) {
            code = grpc(log.responseHeaders());
        }
        if (code != null) {
            return code;
        }
        return log.responseCause() != null && log.responseHeaders().status().code() == 0
                ? "aborted"
                : log.responseHeaders().status().codeAsText();
    }

    private static @Nullable String grpc(HttpHeaders headers) {
        String number = headers.get("grpc-status");
        if (number == null) {
            return null;
        }
        return number.matches("[0-9]{1,2}")
                ? Status.fromCodeValue(Integer.parseInt(number)).getCode().name()
                : "UNKNOWN";
    }
}
