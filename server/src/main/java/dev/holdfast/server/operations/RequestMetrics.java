package dev.holdfast.server.operations;

import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.http.HttpPath;
import dev.holdfast.server.wire.LongRequests;
import dev.holdfast.server.wire.RequestPaths;
import dev.holdfast.support.Futures;
import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The number and duration of requests, by route and status. Acquires that may wait, and streams, last as long as their
 * clients like. They are counted separately, because their duration is not latency.
 */
final class RequestMetrics {
    /** The bounds of the histogram. */
    private static final Duration[] BOUNDS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(20),
        Duration.ofMillis(100),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofMinutes(1)
    };

    private final MeterRegistry registry;
    /** Bounded by the number of routes and statuses. */
    private final Map<Series, Timer> timers = new ConcurrentHashMap<>();

    private record Series(Measure measure, String route, String status) {}

    private enum Measure {
        REQUESTS(
                "holdfast.requests", "Requests and their duration, without acquires that may wait and without streams"),
        WAITS("holdfast.waits", "Acquires that may wait, and their duration, including the wait"),
        STREAMS("holdfast.streams", "Streams that have ended, and their duration");

        private final String metric;
        private final String description;

        Measure(String metric, String description) {
            this.metric = metric;
            this.description = description;
        }
    }

    RequestMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request) throws Exception {
        Futures.whenDone(ctx.log().whenComplete(), (log, error) -> {
            if (log != null) {
                String route = route(ctx);
                record(measure(ctx, route), route, status(log), log.totalDurationNanos());
            }
        });
        return service.serve(ctx, request);
    }

    private static Measure measure(ServiceRequestContext ctx, String route) {
        return RequestPaths.isStream(route)
                ? Measure.STREAMS
                : LongRequests.isWaiting(ctx) ? Measure.WAITS : Measure.REQUESTS;
    }

    /** Counts a request on a call stream; such a request never waits. */
    void record(String route, String status, long nanos) {
        record(Measure.REQUESTS, route, status, nanos);
    }

    private void record(Measure measure, String route, String status, long nanos) {
        timers.computeIfAbsent(new Series(measure, route, status), this::timer).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Series series) {
        return Timer.builder(series.measure().metric)
                .description(series.measure().description)
                .tag("route", series.route())
                .tag("status", series.status())
                .serviceLevelObjectives(BOUNDS)
                .register(registry);
    }

    /** The route of a request. The path itself is not used: there are as many paths as keys. */
    private static String route(ServiceRequestContext ctx) {
        if (ctx.path().startsWith(RequestPaths.HTTP)) {
            return HttpPath.route(ctx);
        }
        String pattern = ctx.config().route().patternString();
        return pattern.isEmpty() || pattern.equals("/*") ? "other" : pattern;
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
