package dev.holdfast.server.limits;

import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.limits.LimitListener.Limit;
import dev.holdfast.support.Futures;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.util.AttributeKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time limits of one connection. It closes the connection if the client sends bytes for too long without completing
 * a request. It does the same if the client does not read, or keeps sending requests without reading the responses.
 * Otherwise a few bytes a minute would keep a connection open, and unsent data would pile up. It also cuts off requests
 * and stream messages that do not arrive in time.
 *
 * <p>Confined to the event loop of its connection. Idle connections cost no timer.
 */
@SuppressWarnings("FutureReturnValueIgnored") // The results of writes to a closed connection do not matter.
final class ConnectionPatience extends ChannelDuplexHandler {
    private static final AttributeKey<ConnectionPatience> KEY =
            AttributeKey.valueOf(ConnectionPatience.class, "patience");

    /** Long enough for the client to read a last response. */
    private static final long CLOSE_DELAY_MILLIS = 1_000;

    private final ServerLimits limits;
    private final LimitListener limitListener;
    private final LongSupplier nanos;
    private final Activity activity;
    private final boolean healthOnly;
    private final AtomicLong bodyBytes = new AtomicLong();
    /** The time since which the rest of each body has been missing, the longest first. */
    private final Map<RequestBody, Long> unfinished = new LinkedHashMap<>();

    private @Nullable ChannelHandlerContext context;
    private int requests;
    private boolean unanswered;
    private long unansweredSinceNanos;
    private int writes;
    private long writtenNanos;
    private boolean watched;

    /** Receives whether a connection has running requests. */
    interface Activity {
        void isNow(boolean busy);
    }

    /**
     * @param nanos the monotonic clock
     * @param healthOnly whether the connection is for health checks only
     */
    ConnectionPatience(
            ServerLimits limits,
            LimitListener limitListener,
            LongSupplier nanos,
            Activity activity,
            boolean healthOnly) {
        this.limits = limits;
        this.limitListener = limitListener;
        this.nanos = nanos;
        this.activity = activity;
        this.healthOnly = healthOnly;
    }

    /** The handler of the connection that {@code ctx} arrived on. */
    static ConnectionPatience of(ServiceRequestContext ctx) {
        Channel channel = ctx.log().ensureAvailable(RequestLogProperty.SESSION).channel();
        return Objects.requireNonNull(Objects.requireNonNull(channel).attr(KEY).get());
    }

    boolean isHealthOnly() {
        return healthOnly;
    }

    /** The bytes of requests on this connection that are in memory. */
    AtomicLong bodyBytes() {
        return bodyBytes;
    }

    /** Records that a request has arrived. */
    void noteRequest(ServiceRequestContext ctx) {
        // Immediately where possible: a deferred task would run after the bytes of further requests.
        inLoop(this::begun);
        Futures.whenDone(ctx.log().whenComplete(), (log, error) -> inLoop(this::over));
    }

    private void begun() {
        requests++;
        unanswered = false;
        if (requests == 1) {
            activity.isNow(true);
        }
        // HTTP/2 has its own limit, which clients respect; over HTTP/1 they can send any number of requests.
        if (requests > ServerLimits.STREAMS) {
            close(Limit.SLOW_READER);
        }
    }

    private void over() {
        requests--;
        if (requests == 0) {
            activity.isNow(false);
        }
    }

    /** Starts the time limit for the rest of {@code body}. */
    void expect(RequestBody body) {
        inLoop(() -> {
            unfinished.remove(body);
            unfinished.put(body, nanos.getAsLong());
            watch();
        });
    }

    /** Stops the time limit for {@code body}, which is complete for now. */
    void received(RequestBody body) {
        inLoop(() -> unfinished.remove(body));
    }

    private void inLoop(Runnable task) {
        ChannelHandlerContext ctx = Objects.requireNonNull(context);
        if (ctx.executor().inEventLoop()) {
            task.run();
        } else {
            ctx.executor().execute(task);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        ctx.channel().attr(KEY).set(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        // Some frames of an HTTP/2 client are not requests and get no response; its requests are timed one by one.
        if (requests == 0 && !unanswered && ctx.pipeline().get(Http2ConnectionHandler.class) == null) {
            unanswered = true;
            unansweredSinceNanos = nanos.getAsLong();
            watch();
        }
        ctx.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        unanswered = false;
        if (writes == 0) {
            writtenNanos = nanos.getAsLong();
            watch();
        }
        writes++;
        ctx.write(message, promise.unvoid().addListener(done -> {
            writes--;
            writtenNanos = nanos.getAsLong();
        }));
    }

    private void watch() {
        if (!watched) {
            watched = true;
            Objects.requireNonNull(context)
                    .executor()
                    .schedule(this::check, limits.patience().toMillis() / 2 + 1, TimeUnit.MILLISECONDS);
        }
    }

    private void check() {
        ChannelHandlerContext ctx = Objects.requireNonNull(context);
        watched = false;
        long oldestNanos = nanos.getAsLong() - limits.patience().toNanos();
        boolean http2 = ctx.pipeline().get(Http2ConnectionHandler.class) != null;
        boolean sendsNoRequest = unanswered && requests == 0 && !http2;
        if (!ctx.channel().isActive()) {
            return;
        }
        if (cutBodiesFrom(oldestNanos) && !http2) {
            // The rest of the body may still follow, so no further request can be read from this connection.
            ctx.executor().schedule(() -> ctx.channel().close(), CLOSE_DELAY_MILLIS, TimeUnit.MILLISECONDS);
        }
        if (sendsNoRequest && unansweredSinceNanos - oldestNanos < 0) {
            close(Limit.SLOW_SENDER);
        } else if (writes > 0 && writtenNanos - oldestNanos < 0) {
            close(Limit.SLOW_READER);
        } else if (sendsNoRequest || writes > 0 || !unfinished.isEmpty()) {
            watch();
        }
    }

    private boolean cutBodiesFrom(long oldestNanos) {
        List<RequestBody> late = new ArrayList<>();
        for (Map.Entry<RequestBody, Long> body : unfinished.entrySet()) {
            if (body.getValue() - oldestNanos >= 0) {
                break;
            }
            late.add(body.getKey());
        }
        for (RequestBody body : late) {
            unfinished.remove(body);
            limitListener.on(Limit.SLOW_SENDER);
            body.cut();
        }
        return !late.isEmpty();
    }

    private void close(Limit limit) {
        limitListener.on(limit);
        Objects.requireNonNull(context).channel().close();
    }
}
