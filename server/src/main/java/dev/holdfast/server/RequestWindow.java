package dev.holdfast.server;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.holdfast.support.Futures;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A decorator that writes one log line for each request, at level debug. The line contains neither bodies nor queries,
 * hence no tokens.
 */
final class RequestWindow extends SimpleDecoratingHttpService {
    private static final Logger log = LoggerFactory.getLogger("dev.holdfast.server.requests");

    private RequestWindow(HttpService delegate) {
        super(delegate);
    }

    static Function<? super HttpService, RequestWindow> newDecorator() {
        return RequestWindow::new;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) throws Exception {
        if (log.isDebugEnabled()) {
            Futures.whenDone(ctx.log().whenComplete(), (done, error) -> {
                if (done != null) {
                    write(ctx, done);
                }
            });
        }
        return unwrap().serve(ctx, request);
    }

    /** Does the same for requests on a call stream. */
    static RequestGate around(RequestGate requestGate) {
        return (ctx, path) -> {
            RequestGate.Passing passing = requestGate.enter(ctx, path);
            if (!log.isDebugEnabled()) {
                return passing;
            }
            long start = System.nanoTime();
            return status -> {
                passing.leave(status);
                log.atDebug()
                        .addKeyValue("path", path)
                        .addKeyValue("grpc", status.value())
                        .addKeyValue("micros", (System.nanoTime() - start) / 1_000)
                        .addKeyValue("from", ctx.remoteAddress())
                        .log("request of a stream");
            };
        };
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
}
