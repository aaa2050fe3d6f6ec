package dev.holdfast.server.limits;

import com.linecorp.armeria.common.FilteredHttpRequest;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import dev.holdfast.server.limits.LimitListener.Limit;
import dev.holdfast.server.wire.WireErrors;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;

/**
 * The body of one request while it arrives. Its bytes are counted until they are processed. They are copied out of the
 * network buffers, since a few bytes would keep a large buffer alive. If too many bytes are waiting, or the rest takes
 * too long, the body ends with an error that says that nothing was applied.
 *
 * <p>Confined to the event loop of its connection.
 */
final class RequestBody extends FilteredHttpRequest {
    /** The approximate size of the objects around a chunk, however small the chunk is. */
    private static final int CHUNK_OVERHEAD_BYTES = 128;

    private final HttpRequest request;
    private final BodyBudget budget;
    private final @Nullable MessageFrames frames;
    private final ConnectionPatience connection;
    private boolean over;

    /** @param endless whether it is a stream of messages; the limits of a whole body then apply to each message */
    RequestBody(HttpRequest request, BodyBudget budget, boolean endless, ConnectionPatience connection) {
        super(request, false);
        this.request = request;
        this.budget = budget;
        this.frames = endless ? new MessageFrames() : null;
        this.connection = connection;
        connection.expect(this);
    }

    @Override
    protected HttpObject filter(HttpObject part) {
        if (part instanceof HttpData data && !data.isEmpty()) {
            if (!budget.take(data.length() + CHUNK_OVERHEAD_BYTES)) {
                throw WireErrors.exhausted(Limit.BODY_BYTES.name(), BodyBudget.TOO_MANY, BodyBudget.PAUSE);
            }
            if (frames != null) {
                follow(frames, data.array());
            }
        }
        return part;
    }

    private void follow(MessageFrames messages, byte[] bytes) {
        long before = messages.complete();
        boolean wasPartial = messages.isPartial();
        messages.add(bytes, 0, bytes.length);
        boolean hasEnded = messages.complete() > before;
        if (hasEnded) {
            budget.releaseBody();
            connection.received(this);
        }
        if (messages.isPartial() && (hasEnded || !wasPartial)) {
            connection.expect(this);
        }
    }

    /** Aborts the body because its client took too long. */
    void cut() {
        if (!over) {
            request.abort(WireErrors.unavailable(Limit.SLOW_SENDER.name(), "the request did not arrive in time"));
        }
    }

    /** Records that the body is complete or no longer wanted. */
    private void ended() {
        over = true;
        connection.received(this);
    }

    @Override
    protected void beforeComplete(Subscriber<? super HttpObject> subscriber) {
        ended();
    }

    @Override
    protected Throwable beforeError(Subscriber<? super HttpObject> subscriber, Throwable cause) {
        ended();
        return cause;
    }

    @Override
    protected void onCancellation(Subscriber<? super HttpObject> subscriber) {
        ended();
    }
}
