package dev.holdfast.server.limit;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.internal.Futures;
import dev.holdfast.server.ServerExtension;
import dev.holdfast.server.ServerParts;
import dev.holdfast.server.auth.Refusals;
import dev.holdfast.server.limit.Refused.Limit;
import dev.holdfast.server.wire.Errors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Limits what comes in, before any service sees it. */
public final class RequestLimits implements ServerExtension {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ServerLimits limits;
    private final Refused refused;
    private final Predicate<String> endless;
    private final Predicate<String> always;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();

    /**
     * @param endless the paths of requests whose bodies go on for as long as they like
     * @param always the paths of what is answered however much there is to do: whoever watches a server must not take it
     *     for dead because it is busy
     */
    public RequestLimits(ServerLimits limits, Refused refused, Predicate<String> endless, Predicate<String> always) {
        this.limits = limits;
        this.refused = refused;
        this.endless = endless;
        this.always = always;
    }

    /** How many connections are open. */
    public int connections() {
        return connections.get();
    }

    /** How many requests are under way. */
    public int requests() {
        return requests.get();
    }

    @Override
    public void extend(ServerBuilder server, ServerParts parts) {
        server.maxRequestLength(limits.messageBytes())
                .idleTimeout(limits.idle())
                .http1MaxHeaderSize(limits.headerBytes())
                .http1MaxInitialLineLength(limits.headerBytes())
                .http2MaxHeaderListSize(limits.headerBytes())
                .http2MaxStreamsPerConnection(limits.streams())
                .childChannelPipelineCustomizer(this::connected)
                .decorator(this::serve);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // That of the listener itself.
    private void connected(ChannelPipeline pipeline) {
        Channel channel = pipeline.channel();
        channel.closeFuture().addListener(closed -> connections.decrementAndGet());
        if (connections.incrementAndGet() > limits.connections()) {
            refused.on(Limit.CONNECTIONS);
            channel.eventLoop().execute(channel::close);
        } else {
            pipeline.addFirst(new ConnectionPatience(limits, refused, System::nanoTime));
        }
    }

    /**
     * Counts one that came over a stream, until {@link #end}.
     *
     * @throws StatusRuntimeException if too many are under way; then it is not counted
     */
    public void begin() {
        if (requests.incrementAndGet() > limits.requests()) {
            requests.decrementAndGet();
            refused.on(Limit.REQUESTS);
            throw StatusProto.toStatusRuntimeException(Errors.exhausted(Limit.REQUESTS.name(), tooMany(), PAUSE));
        }
    }

    public void end() {
        requests.decrementAndGet();
    }

    private String tooMany() {
        return limits.requests() + " requests are under way already; come back later";
    }

    private HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request) throws Exception {
        int now = requests.incrementAndGet();
        Futures.whenDone(ctx.log().whenComplete(), (log, error) -> end());
        ConnectionPatience.noteRequest(ctx);
        if (now > limits.requests() && !always.test(ctx.path())) {
            refused.on(Limit.REQUESTS);
            return Refusals.of(
                    request,
                    HttpStatus.TOO_MANY_REQUESTS,
                    Status.Code.RESOURCE_EXHAUSTED,
                    Limit.REQUESTS.name(),
                    tooMany(),
                    PAUSE);
        }
        if (endless.test(ctx.path())) {
            ctx.setMaxRequestLength(0); // Its messages are limited one by one.
        } else {
            cutIfSlow(ctx, request);
        }
        return service.serve(ctx, request);
    }

    /** The time of an answer is not limited, as one may wait; that of a request is. */
    private void cutIfSlow(ServiceRequestContext ctx, HttpRequest request) {
        if (request.isComplete()) {
            return;
        }
        ScheduledFuture<?> cut = ctx.eventLoop()
                .withoutContext()
                .schedule(
                        () -> {
                            refused.on(Limit.SLOW_SENDER);
                            ctx.timeoutNow();
                        },
                        limits.patience().toMillis(),
                        TimeUnit.MILLISECONDS);
        Futures.whenDone(request.whenComplete(), (nothing, error) -> cut.cancel(false));
    }
}
