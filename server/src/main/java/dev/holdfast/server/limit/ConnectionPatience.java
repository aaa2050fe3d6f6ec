package dev.holdfast.server.limit;

import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.internal.Futures;
import dev.holdfast.server.limit.Refused.Limit;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.util.AttributeKey;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Closes a connection whose client dribbles (sends bytes for long that never become a request), does not read what it is
 * sent, or sends more and more requests before it has read an answer. Otherwise a few bytes a minute would keep a
 * connection, and what is to be sent would pile up.
 *
 * <p>Confined to the event loop of its connection. Idle connections cost no timer.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What a closed connection has to say of its writes is nobody's business.
final class ConnectionPatience extends ChannelDuplexHandler {
    private static final AttributeKey<ConnectionPatience> KEY =
            AttributeKey.valueOf(ConnectionPatience.class, "patience");

    private final ServerLimits limits;
    private final Refused refused;
    private final LongSupplier nanos;
    private int requests;
    private boolean unanswered;
    private long unansweredSinceNanos;
    private int writes;
    private long writtenNanos;
    private boolean watched;

    /** @param nanos the time */
    ConnectionPatience(ServerLimits limits, Refused refused, LongSupplier nanos) {
        this.limits = limits;
        this.refused = refused;
        this.nanos = nanos;
    }

    /** Tells the connection of {@code ctx} that a request has come, and when it is over. */
    static void noteRequest(ServiceRequestContext ctx) {
        Channel channel = ctx.log().ensureAvailable(RequestLogProperty.SESSION).channel();
        ConnectionPatience connection =
                channel == null ? null : channel.attr(KEY).get();
        if (connection == null || channel == null) {
            return;
        }
        // At once where possible: what is put off comes after the bytes of further requests.
        if (channel.eventLoop().inEventLoop()) {
            connection.begun(channel);
        } else {
            channel.eventLoop().execute(() -> connection.begun(channel));
        }
        Futures.whenDone(
                ctx.log().whenComplete(), (log, error) -> channel.eventLoop().execute(() -> connection.requests--));
    }

    private void begun(Channel channel) {
        requests++;
        unanswered = false;
        // HTTP/2 has a limit of its own that clients respect; HTTP/1 lets them send on and on.
        if (requests > limits.streams()) {
            close(channel, Limit.SLOW_READER);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        ctx.channel().attr(KEY).set(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        // Not all that an HTTP/2 client sends is a request or is answered; its requests are timed one by one.
        if (requests == 0 && !unanswered && ctx.pipeline().get(Http2ConnectionHandler.class) == null) {
            unanswered = true;
            unansweredSinceNanos = nanos.getAsLong();
            watch(ctx);
        }
        ctx.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        unanswered = false;
        if (writes == 0) {
            writtenNanos = nanos.getAsLong();
            watch(ctx);
        }
        writes++;
        ctx.write(message, promise.unvoid().addListener(done -> {
            writes--;
            writtenNanos = nanos.getAsLong();
        }));
    }

    private void watch(ChannelHandlerContext ctx) {
        if (!watched) {
            watched = true;
            ctx.executor().schedule(() -> look(ctx), limits.patience().toMillis() / 2 + 1, TimeUnit.MILLISECONDS);
        }
    }

    private void look(ChannelHandlerContext ctx) {
        watched = false;
        long longAgo = nanos.getAsLong() - limits.patience().toNanos();
        boolean http2 = ctx.pipeline().get(Http2ConnectionHandler.class) != null;
        boolean dribbles = unanswered && requests == 0 && !http2;
        if (!ctx.channel().isActive()) {
            return;
        }
        if (dribbles && unansweredSinceNanos - longAgo < 0) {
            close(ctx.channel(), Limit.SLOW_SENDER);
        } else if (writes > 0 && writtenNanos - longAgo < 0) {
            close(ctx.channel(), Limit.SLOW_READER);
        } else if (dribbles || writes > 0) {
            watch(ctx);
        }
    }

    private void close(Channel channel, Limit limit) {
        refused.on(limit);
        channel.close();
    }
}
