package dev.holdfast.accord;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.support.Futures;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * A response with data written in large pieces: all messages that a stream sends together are merged into one. Each
 * piece is a frame and a write to the socket, which costs more than creating the message in it.
 *
 * <p>A slow reader slows down the stream as it would without merging, only a few hundred KB later. Confined to the
 * event loop of the call.
 */
final class MergedResponse implements Subscriber<HttpObject> {
    /** The maximum number of bytes taken from the stream and not yet read by the client. */
    private static final int MOST_BYTES = 256 << 10;

    /** Larger pieces gain nothing. */
    private static final int LARGE_BYTES = 64 << 10;

    private final ServiceRequestContext ctx;
    private final HttpResponseWriter merged = HttpResponse.streaming();
    private @Nullable Subscription source;
    private @Nullable ByteBuf gathered;
    private int unread;
    private boolean starved;

    private MergedResponse(ServiceRequestContext ctx) {
        this.ctx = ctx;
    }

    static HttpResponse of(ServiceRequestContext ctx, HttpResponse response) {
        MergedResponse subscriber = new MergedResponse(ctx);
        response.subscribe(subscriber, ctx.eventLoop(), SubscriptionOption.WITH_POOLED_OBJECTS);
        return subscriber.merged;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        source = subscription;
        Futures.whenDone(merged.whenComplete(), (nothing, error) -> subscription.cancel());
        subscription.request(1);
    }

    @Override
    public void onNext(HttpObject object) {
        if (object instanceof HttpData data) {
            gather(data);
        } else {
            flush();
            write(object, 0);
        }
        if (unread < MOST_BYTES) {
            requestMore();
        } else {
            starved = true;
        }
    }

    private void requestMore() {
        starved = false;
        if (source != null) {
            source.request(1);
        }
    }

    private void gather(HttpData data) {
        try (data) {
            if (gathered == null) {
                gathered = ctx.alloc().buffer();
                // Runs after everything that the current task sends.
                ctx.eventLoop().execute(this::flush);
            }
            gathered.writeBytes(data.byteBuf());
        }
        if (gathered.readableBytes() >= LARGE_BYTES) {
            flush();
        }
    }

    private void flush() {
        if (gathered != null) {
            ByteBuf piece = gathered;
            gathered = null;
            write(HttpData.wrap(piece), piece.readableBytes());
        }
    }

    /** Writes {@code object}. If the client is gone, the writer releases it. */
    private void write(HttpObject object, int bytes) {
        if (!merged.tryWrite(object)) {
            return;
        }
        unread += bytes;
        Futures.whenDone(merged.whenConsumed(), (nothing, error) -> {
            unread -= bytes;
            if (error == null && starved && unread < MOST_BYTES) {
                requestMore();
            }
        });
    }

    @Override
    public void onError(Throwable error) {
        if (gathered != null) {
            gathered.release();
            gathered = null;
        }
        merged.close(error);
    }

    @Override
    public void onComplete() {
        flush();
        merged.close();
    }
}
