package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.internal.Futures;
import dev.holdfast.proto.v1.WatchRequest;
import dev.holdfast.server.Guard.Access;
import dev.holdfast.server.watch.FilteredSink;
import dev.holdfast.server.watch.Sink;
import dev.holdfast.server.watch.Watcher;
import java.util.function.Predicate;

/** Calls that watch, whichever way they came in. */
public final class WatchCalls {
    private WatchCalls() {}

    /** Watches for as long as the request is under way, or until the server is about to end. */
    public static Watcher watch(ServiceRequestContext ctx, ServerParts parts, WatchRequest request, Sink sink) {
        Access access = request.getWithTokens() ? Access.ADMINISTER : Access.READ;
        Predicate<String> allowed = parts.guard().allowed(ctx, access, request.getPrefix());
        if (request.getWithTokens()) {
            parts.audit().tokensShown(ctx, "watch-tokens", request.getPrefix());
        }
        parts.drain().refuseIfBegun();
        Admission.Place place = parts.admission().watch(ctx, request.getPrefix());
        try {
            Watcher watcher =
                    parts.watches().watch(request.getPrefix(), new FilteredSink(sink, allowed), ctx.eventLoop());
            Runnable stays = goesWhenTheServerEnds(parts, watcher);
            Revocation.on(ctx, watcher::fail);
            Futures.whenDone(ctx.log().whenComplete(), (log, error) -> {
                watcher.leave();
                stays.run();
                place.leave();
            });
            return watcher;
        } catch (RuntimeException e) {
            place.leave();
            throw e;
        }
    }

    private static Runnable goesWhenTheServerEnds(ServerParts parts, Watcher watcher) {
        try {
            return parts.drain().onBegin(() -> watcher.fail(Drain.ending()));
        } catch (RuntimeException e) {
            watcher.leave();
            throw e;
        }
    }
}
