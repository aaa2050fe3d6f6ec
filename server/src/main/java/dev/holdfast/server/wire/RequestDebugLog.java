package dev.holdfast.server.wire;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.support.Futures;
import io.grpc.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of all requests, one line for each, at level debug. The line contains neither bodies nor queries, hence no
 * tokens.
 */
public final class RequestDebugLog {
    private static final Logger log = LoggerFactory.getLogger("dev.holdfast.server.requests");

    private RequestDebugLog() {}

    /** A decorator that logs the requests of {@code service}. */
    public static HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request)
            throws Exception {
        if (log.isDebugEnabled()) {
            Futures.whenDone(ctx.log().whenComplete(), (done, error) -> {
                if (done != null) {
                    write(ctx, done);
                }
            });
        }
        return service.serve(ctx, request);
    }

    private static void write(ServiceRequestContext ctx, RequestLog done) {
        log.atDebug()
                .addKeyValue("method", ctx.method())
                .addKeyValue("path", ctx.path())
                .addKeyValue("status", done.responseStatus().code())
                .addKeyValue("grpc", done.responseTrailers().get("grpc-status", "-"))
                .addKeyValue("micros", done.totalDurationNanos() / 1_000)
                .addKeyValue("from", ctx.remoteAddress())
                .log("request");
    }

    /** Logs a request that arrived on a call stream. */
    public static void streamed(ServiceRequestContext ctx, String path, Status.Code status, long startNanos) {
        if (log.isDebugEnabled()) {
            log.atDebug()
                    .addKeyValue("path", path)
                    .addKeyValue("grpc", status.value())
                    .addKeyValue("micros", (System.nanoTime() - startNanos) / 1_000)
                    .addKeyValue("from", ctx.remoteAddress())
                    .log("request of a stream");
        }
    }
}
