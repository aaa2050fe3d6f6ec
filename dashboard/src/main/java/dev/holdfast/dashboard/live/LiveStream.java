package dev.holdfast.dashboard.live;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.dashboard.live.SharedView.Published;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The stream of one dashboard. It writes one message at a time: the next one when the reader has taken the last. All writes happen
 * on the event loop of the request.
 */
final class LiveStream {
    /** The interval of comments that show the page that the stream is alive. */
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

    private final ServiceRequestContext ctx;
    private final BooleanSupplier isAllowed;
    private final SharedView view;
    private final HttpResponseWriter writer = HttpResponse.streaming();
    private boolean writing;
    private long sent;

    /** @param isAllowed whether the caller may still see the view; may throw once the caller is no longer known */
    LiveStream(ServiceRequestContext ctx, SharedView view, BooleanSupplier isAllowed) {
        this.ctx = ctx;
        this.view = view;
        this.isAllowed = isAllowed;
    }

    /** Begins to send, on the event loop. */
    HttpResponse begin() {
        writer.write(ResponseHeaders.builder(HttpStatus.OK)
                .contentType(MediaType.EVENT_STREAM)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .build());
        var keepAlives = ctx.eventLoop()
                .scheduleAtFixedRate(this::keepAlive, KEEP_ALIVE.toSeconds(), KEEP_ALIVE.toSeconds(), TimeUnit.SECONDS);
        Futures.whenDone(writer.whenComplete(), (over, error) -> keepAlives.cancel(false));
        return writer;
    }

    /** Notifies the stream of a new message, on any thread. */
    void ready() {
        ctx.eventLoop().execute(this::sendNext);
    }

    /** Ends the stream, on any thread. The page opens another, and learns from its response whether it may. */
    void end() {
        ctx.eventLoop().execute(writer::close);
    }

    private void keepAlive() {
        if (!writing && mayContinue()) {
            write(HttpData.ofUtf8(": \n\n"));
        }
    }

    private void sendNext() {
        Published newest = view.published();
        if (writing || newest.number() == sent || !writer.isOpen() || !mayContinue()) {
            return;
        }
        HttpData delta = newest.delta();
        HttpData error = newest.error();
        HttpData message;
        if (error != null) {
            message = error;
        } else if (delta != null && newest.number() == sent + 1) {
            message = delta;
        } else if (newest.state() != null) {
            message = ViewMessages.whole(newest.state());
        } else {
            return;
        }
        sent = newest.number();
        write(message);
    }

    /** Ends the stream of a caller that has lost its permissions, or has others than when the stream began. */
    @SuppressWarnings("IllegalCatch") // Whatever the check throws, the caller is not allowed.
    private boolean mayContinue() {
        boolean may;
        try {
            may = isAllowed.getAsBoolean();
        } catch (RuntimeException e) {
            may = false;
        }
        if (!may) {
            writer.close();
        }
        return may;
    }

    private void write(HttpData data) {
        if (!writer.tryWrite(data)) {
            return;
        }
        writing = true;
        Futures.whenDone(writer.whenConsumed(), (taken, error) -> {
            writing = false;
            if (error == null) {
                sendNext();
            }
        });
    }
}
