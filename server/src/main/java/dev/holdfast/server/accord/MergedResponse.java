package dev.holdfast.server.accord;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.internal.Futures;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * A response whose data is written in large pieces: all messages that a stream sends together go as one. Each piece is
 * a frame and a write to the socket, which costs more than to make the message in it.
 *
 * <p>The stream feels a slow reader as it would without this, a few hundred KB later. All of it runs on the event loop
 * of the call.
 */
final class MergedResponse implements Subscriber<HttpObject> {
    /** What is taken before the reader has taken the bytes before it. */
    private static final int MOST_BYTES = 256 << 10;

    /** A piece that is larger than that gains nothing. */
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
                // After all that the task under way sends.
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

    /** What cannot be written any more, as the reader is gone, is released by the writer. */
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
