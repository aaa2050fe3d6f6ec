package dev.holdfast.server.limits;

import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.internal.Futures;
import dev.holdfast.server.limits.RefusalListener.Limit;
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
 * Closes a connection whose client dribbles (sends bytes for long that never become a request), does not read what it is
 * sent, or sends more and more requests before it has read an answer. Otherwise a few bytes a minute would keep a
 * connection, and what is to be sent would pile up. Cuts off requests and messages of streams that do not arrive in time.
 *
 * <p>Confined to the event loop of its connection. Idle connections cost no timer.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What a closed connection has to say of its writes is nobody's business.
final class ConnectionPatience extends ChannelDuplexHandler {
    private static final AttributeKey<ConnectionPatience> KEY =
            AttributeKey.valueOf(ConnectionPatience.class, "patience");

    /** Long enough for a last answer to be read. */
    private static final long CLOSE_DELAY_MILLIS = 1_000;

    private final ServerLimits limits;
    private final RefusalListener refusalListener;
    private final LongSupplier nanos;
    private final Activity activity;
    private final boolean healthOnly;
    private final AtomicLong bodyBytes = new AtomicLong();
    /** Since when the rest of each body is missing; the first began to be missing first. */
    private final Map<RequestBody, Long> unfinished = new LinkedHashMap<>();

    private @Nullable ChannelHandlerContext context;
    private int requests;
    private boolean unanswered;
    private long unansweredSinceNanos;
    private int writes;
    private long writtenNanos;
    private boolean watched;

    /** Hears whether a connection has requests. */
    interface Activity {
        void isNow(boolean busy);
    }

    /**
     * @param nanos the time
     * @param healthOnly whether it is there to answer health checks alone
     */
    ConnectionPatience(
            ServerLimits limits,
            RefusalListener refusalListener,
            LongSupplier nanos,
            Activity activity,
            boolean healthOnly) {
        this.limits = limits;
        this.refusalListener = refusalListener;
        this.nanos = nanos;
        this.activity = activity;
        this.healthOnly = healthOnly;
    }

    /** That of the connection of a request. */
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

    /** A request has come. */
    void noteRequest(ServiceRequestContext ctx) {
        // At once where possible: what is put off comes after the bytes of further requests.
        inLoop(this::begun);
        Futures.whenDone(ctx.log().whenComplete(), (log, error) -> inLoop(this::over));
    }

    private void begun() {
        requests++;
        unanswered = false;
        if (requests == 1) {
            activity.isNow(true);
        }
        // HTTP/2 has a limit of its own that clients respect; HTTP/1 lets them send on and on.
        if (requests > limits.streams()) {
            close(Limit.SLOW_READER);
        }
    }

    private void over() {
        requests--;
        if (requests == 0) {
            activity.isNow(false);
        }
    }

    /** The rest of {@code body} is missing from now on. */
    void expect(RequestBody body) {
        inLoop(() -> {
            unfinished.remove(body);
            unfinished.put(body, nanos.getAsLong());
            watch();
        });
    }

    /** Nothing of {@code body} is missing. */
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
        // Not all that an HTTP/2 client sends is a request or is answered; its requests are timed one by one.
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
                    .schedule(this::look, limits.patience().toMillis() / 2 + 1, TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        ChannelHandlerContext ctx = Objects.requireNonNull(context);
        watched = false;
        long longAgo = nanos.getAsLong() - limits.patience().toNanos();
        boolean http2 = ctx.pipeline().get(Http2ConnectionHandler.class) != null;
        boolean dribbles = unanswered && requests == 0 && !http2;
        if (!ctx.channel().isActive()) {
            return;
        }
        if (cutBodiesFrom(longAgo) && !http2) {
            // What follows is the rest of the body: no further request can come over this connection.
            ctx.executor().schedule(() -> ctx.channel().close(), CLOSE_DELAY_MILLIS, TimeUnit.MILLISECONDS);
        }
        if (dribbles && unansweredSinceNanos - longAgo < 0) {
            close(Limit.SLOW_SENDER);
        } else if (writes > 0 && writtenNanos - longAgo < 0) {
            close(Limit.SLOW_READER);
        } else if (dribbles || writes > 0 || !unfinished.isEmpty()) {
            watch();
        }
    }

    private boolean cutBodiesFrom(long longAgo) {
        List<RequestBody> late = new ArrayList<>();
        for (Map.Entry<RequestBody, Long> body : unfinished.entrySet()) {
            if (body.getValue() - longAgo >= 0) {
                break;
            }
            late.add(body.getKey());
        }
        for (RequestBody body : late) {
            unfinished.remove(body);
            refusalListener.on(Limit.SLOW_SENDER);
            body.cut();
        }
        return !late.isEmpty();
    }

    private void close(Limit limit) {
        refusalListener.on(limit);
        Objects.requireNonNull(context).channel().close();
    }
}
