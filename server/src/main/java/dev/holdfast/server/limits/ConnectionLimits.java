package dev.holdfast.server.limits;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.ServerComponents;
import dev.holdfast.server.ServerExtension;
import dev.holdfast.server.security.RefusedResponses;
import dev.holdfast.support.Futures;
import io.grpc.Status;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The limits on connections, and on the bytes that the HTTP server reads from each of them by itself. */
final class ConnectionLimits implements ServerExtension {
    /** How long a connection for health checks only may last: a probe needs just one request. */
    private static final Duration HEALTH_ONLY = Duration.ofSeconds(5);

    /**
     * The HTTP/2 window: bytes that may be in transit on a connection or buffered for a stream that is not read.
     * Requests are small, so this does not slow down clients. The default would be four times as much, for every
     * connection.
     */
    private static final int WINDOW_BYTES = 256 << 10;

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ServerLimits limits;
    private final RefusalListener refusalListener;
    private final Predicate<String> healthPaths;
    private final ConnectionTable table;

    ConnectionLimits(ServerLimits limits, RefusalListener refusalListener, Predicate<String> healthPaths) {
        this.limits = limits;
        this.refusalListener = refusalListener;
        this.healthPaths = healthPaths;
        this.table = new ConnectionTable(limits.connections(), refusalListener);
    }

    int open() {
        return table.size();
    }

    @Override
    public void extend(ServerBuilder server, ServerComponents parts) {
        server.maxRequestLength(limits.messageBytes())
                .idleTimeout(limits.idle())
                .http1MaxHeaderSize(limits.headerBytes())
                .http1MaxInitialLineLength(limits.headerBytes())
                .http2MaxHeaderListSize(limits.headerBytes())
                .http2MaxStreamsPerConnection(limits.streams())
                .http2InitialConnectionWindowSize(WINDOW_BYTES)
                .http2InitialStreamWindowSize(WINDOW_BYTES)
                .childChannelPipelineCustomizer(this::connected)
                .decorator(this::serve);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Neither listener nor close has a useful result.
    private void connected(ChannelPipeline pipeline) {
        Channel channel = pipeline.channel();
        String address = channel.remoteAddress() instanceof InetSocketAddress remote
                ? AddressGroup.of(remote.getAddress())
                : "unknown";
        OpenConnection connection = table.accept(channel, address);
        channel.closeFuture().addListener(closed -> table.remove(connection));
        if (connection.isHealthOnly()) {
            channel.eventLoop().schedule(() -> channel.close(), HEALTH_ONLY.toMillis(), TimeUnit.MILLISECONDS);
        }
        pipeline.addFirst(new ConnectionPatience(
                limits,
                refusalListener,
                System::nanoTime,
                busy -> {
                    if (busy) {
                        table.busy(connection);
                    } else {
                        table.idle(connection);
                    }
                },
                connection.isHealthOnly()));
    }

    private HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request) throws Exception {
        ConnectionPatience connection = ConnectionPatience.of(ctx);
        connection.noteRequest(ctx);
        if (connection.isHealthOnly() && !healthPaths.test(ctx.path())) {
            Futures.whenDone(ctx.initiateConnectionShutdown(Duration.ZERO), (nothing, error) -> {});
            return RefusedResponses.of(
                    request,
                    HttpStatus.TOO_MANY_REQUESTS,
                    Status.Code.RESOURCE_EXHAUSTED,
                    "too many connections are open; retry later",
                    PAUSE);
        }
        return service.serve(ctx, request);
    }
}
