package dev.holdfast.server.limits;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.limits.ConnectionTable.OpenConnection;
import dev.holdfast.server.security.ClientName;
import dev.holdfast.server.wire.RefusedResponses;
import dev.holdfast.server.wire.RequestPaths;
import dev.holdfast.support.Futures;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The limits on connections, and on the bytes that the HTTP server reads from each of them by itself. */
final class ConnectionLimits {
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
    private final LimitListener limitListener;
    private final ConnectionTable table;

    ConnectionLimits(ServerLimits limits, LimitListener limitListener) {
        this.limits = limits;
        this.limitListener = limitListener;
        this.table = new ConnectionTable(limits.connections(), limitListener);
    }

    int open() {
        return table.size();
    }

    void extend(ServerBuilder server) {
        server.maxRequestLength(ServerLimits.MESSAGE_BYTES)
                .idleTimeout(ServerLimits.IDLE)
                .http1MaxHeaderSize(ServerLimits.HEADER_BYTES)
                .http1MaxInitialLineLength(ServerLimits.HEADER_BYTES)
                .http2MaxHeaderListSize(ServerLimits.HEADER_BYTES)
                .http2MaxStreamsPerConnection(ServerLimits.STREAMS)
                .http2InitialConnectionWindowSize(WINDOW_BYTES)
                .http2InitialStreamWindowSize(WINDOW_BYTES)
                .childChannelPipelineCustomizer(this::connected)
                .decorator(this::serve);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Neither listener nor close has a useful result.
    private void connected(ChannelPipeline pipeline) {
        Channel channel = pipeline.channel();
        String address = channel.remoteAddress() instanceof InetSocketAddress remote
                ? ClientName.ofAddress(remote.getAddress())
                : "unknown";
        OpenConnection connection = table.accept(channel, address);
        channel.closeFuture().addListener(closed -> table.remove(connection));
        if (connection.isHealthOnly()) {
            channel.eventLoop().schedule(() -> channel.close(), HEALTH_ONLY.toMillis(), TimeUnit.MILLISECONDS);
        }
        pipeline.addFirst(new ConnectionPatience(
                limits,
                limitListener,
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
        if (connection.isHealthOnly() && !isHealth(ctx.path())) {
            Futures.whenDone(ctx.initiateConnectionShutdown(Duration.ZERO), (nothing, error) -> {});
            return RefusedResponses.exhausted(request, "too many connections are open; retry later", PAUSE);
        }
        return service.serve(ctx, request);
    }

    private static boolean isHealth(String path) {
        return RequestPaths.isAlwaysServed(path) || RequestPaths.isHealth(path);
    }
}
