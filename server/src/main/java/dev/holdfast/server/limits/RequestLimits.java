package dev.holdfast.server.limits;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.calls.RequestGate;
import dev.holdfast.server.limits.LimitListener.Limit;
import dev.holdfast.server.security.ClientName;
import dev.holdfast.server.wire.RefusedResponses;
import dev.holdfast.server.wire.RequestPaths;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.support.Futures;
import io.grpc.Status;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The limits on requests, checked before a service receives them. Requests that need no authentication are counted
 * separately, so clients without a token cannot use up the shares of others.
 */
public final class RequestLimits implements RequestGate {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** Long, because a client that watches health can wait before it opens another watch. */
    private static final Duration HEALTH_PAUSE = Duration.ofSeconds(5);

    /** A health check contains the name of a service, and no more. */
    private static final int HEALTH_BYTES = 4 << 10;

    private static final int HEALTH_BYTES_IN_ALL = 8 << 20;

    private final ServerLimits limits;
    private final LimitListener limitListener;
    private final FairShares requests;
    private final FairShares bodyBytes;
    private final FairShares healthBytes = new FairShares(HEALTH_BYTES_IN_ALL);
    private final ClientPlaces healthCalls;
    private final ConnectionLimits connections;

    public RequestLimits(ServerLimits limits, LimitListener limitListener) {
        this.limits = limits;
        this.limitListener = limitListener;
        this.requests = new FairShares(limits.requests());
        this.bodyBytes = new FairShares(limits.bodyBytes());
        this.healthCalls = new ClientPlaces(limits.healthCallsPerAddress());
        this.connections = new ConnectionLimits(limits, limitListener);
    }

    /** The number of open connections. */
    public int connections() {
        return connections.open();
    }

    /** The number of running requests, without health checks. */
    public long requests() {
        return requests.total();
    }

    /** The number of bytes of requests in memory. */
    public long bodyBytes() {
        return bodyBytes.total();
    }

    /**
     * Adds the limits that apply before authentication: on connections, and on the bytes that the HTTP server itself
     * reads.
     */
    public void limitConnections(ServerBuilder server) {
        connections.extend(server);
    }

    /** Adds the limits that apply after authentication, when the client of a request is known. */
    public void limitRequests(ServerBuilder server) {
        server.decorator(this::serve);
    }

    /** Counts a request on a call stream like one that arrives alone. */
    @Override
    public Consumer<Status.Code> enter(ServiceRequestContext ctx, String path) {
        String name = ClientName.of(ctx);
        if (!requests.take(name, 1)) {
            limitListener.on(Limit.REQUESTS);
            throw WireErrors.exhausted(Limit.REQUESTS.name(), tooMany(), PAUSE);
        }
        long startNanos = System.nanoTime();
        return status -> {
            requests.leave(name, 1);
            limitListener.onStreamed(path, status, System.nanoTime() - startNanos);
        };
    }

    private String tooMany() {
        return "this client uses its share of the " + limits.requests()
                + " requests that may run at the same time; retry later";
    }

    private HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request) throws Exception {
        if (RequestPaths.isAlwaysServed(ctx.path())) {
            return service.serve(ctx, request);
        }
        String address = ClientName.ofAddress(ctx.clientAddress());
        if (RequestPaths.isHealth(ctx.path())) {
            Runnable leaving = takeHealthCall(address);
            if (leaving == null) {
                return RefusedResponses.exhausted(request, "too many health calls are open; retry later", HEALTH_PAUSE);
            }
            ctx.setMaxRequestLength(HEALTH_BYTES);
            return limited(service, ctx, request, budget(ctx, healthBytes, address), leaving);
        }
        String name = ClientName.of(ctx);
        if (!requests.take(name, 1)) {
            limitListener.on(Limit.REQUESTS);
            return RefusedResponses.of(
                    request, Status.Code.RESOURCE_EXHAUSTED, Limit.REQUESTS.name(), tooMany(), PAUSE);
        }
        return limited(service, ctx, request, budget(ctx, bodyBytes, name), () -> requests.leave(name, 1));
    }

    private @Nullable Runnable takeHealthCall(String address) {
        Runnable leaving = healthCalls.take(address);
        if (leaving != null) {
            if (healthCalls.total() <= limits.healthCalls()) {
                return leaving;
            }
            leaving.run();
        }
        limitListener.on(Limit.HEALTH_CALLS);
        return null;
    }

    private BodyBudget budget(ServiceRequestContext ctx, FairShares all, String name) {
        ConnectionPatience connection = ConnectionPatience.of(ctx);
        return new BodyBudget(all, name, connection.bodyBytes(), limits.bodyBytesPerConnection(), limitListener);
    }

    private HttpResponse limited(
            HttpService service, ServiceRequestContext ctx, HttpRequest request, BodyBudget budget, Runnable leaving)
            throws Exception {
        Futures.whenDone(ctx.log().whenComplete(), (log, error) -> {
            leaving.run();
            budget.close();
        });
        if (!budget.takeHeaders(request.headers())) {
            return RefusedResponses.exhausted(request, BodyBudget.TOO_MANY, PAUSE);
        }
        if (!request.isOpen()) {
            return service.serve(ctx, request); // The whole body has arrived.
        }
        boolean endless = isEndless(ctx, request);
        if (endless) {
            ctx.setMaxRequestLength(0); // Each message has a limit of its own.
        }
        ConnectionPatience connection = ConnectionPatience.of(ctx);
        RequestBody body = new RequestBody(request, budget, endless, connection);
        Futures.whenDone(ctx.log().whenComplete(), (log, error) -> connection.received(body));
        ctx.updateRequest(body);
        return service.serve(ctx, body);
    }

    /**
     * Whether the request is a stream of messages. Messages in base64 cannot be separated without decoding them, but
     * clients that send base64 have no streams anyway.
     */
    private boolean isEndless(ServiceRequestContext ctx, HttpRequest request) {
        String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
        return RequestPaths.isEndless(ctx.path()) && !type.startsWith("application/grpc-web-text");
    }
}
