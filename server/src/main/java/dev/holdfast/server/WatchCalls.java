package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.internal.Check;
import dev.holdfast.internal.Futures;
import dev.holdfast.model.Limits;
import dev.holdfast.proto.v1.WatchRequest;
import dev.holdfast.server.Guard.Access;
import dev.holdfast.server.auth.ClientName;
import dev.holdfast.server.watch.Sink;
import dev.holdfast.server.watch.WatchScope;
import dev.holdfast.server.watch.Watcher;

/** Calls that watch, whichever way they came in. */
public final class WatchCalls {
    private WatchCalls() {}

    /** Watches for as long as the request is under way, or until the server is about to end. */
    public static Watcher watch(ServiceRequestContext ctx, ServerParts parts, WatchRequest request, Sink sink) {
        Access access = request.getWithTokens() ? Access.ADMINISTER : Access.READ;
        String prefix = Check.text("prefix", request.getPrefix(), Limits.NAMESPACE_BYTES);
        WatchScope scope = new WatchScope(
                ClientName.of(ctx),
                parts.guard().ranges(ctx, access, prefix),
                parts.guard().allowed(ctx, access, prefix));
        if (request.getWithTokens()) {
            parts.audit().tokensShown(ctx, "watch-tokens", prefix);
        }
        parts.drain().refuseIfBegun();
        Admission.Place place = parts.admission().watch(ctx, prefix);
        try {
            Watcher watcher = parts.watches().watch(scope, sink, ctx.eventLoop());
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
