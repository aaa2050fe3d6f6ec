package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.proto.v1.WatchRequest;
import dev.holdfast.server.AccessGuard.Access;
import dev.holdfast.server.security.ClientName;
import dev.holdfast.server.watch.StatusWatch;
import dev.holdfast.server.watch.WatchScope;
import dev.holdfast.server.watch.WatchSink;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;

/** The calls that watch keys, independent of the protocol they arrived by. */
public final class WatchOperations {
    private WatchOperations() {}

    /** Starts a watch that lasts until the request ends or the server begins to shut down. */
    public static StatusWatch watch(
            ServiceRequestContext ctx, ServerComponents parts, WatchRequest request, WatchSink watchSink) {
        Access access = request.getWithTokens() ? Access.ADMINISTER : Access.READ;
        String prefix = ArgumentCheck.text("prefix", request.getPrefix(), SizeLimits.NAMESPACE_BYTES);
        WatchScope scope = new WatchScope(
                ClientName.of(ctx),
                parts.guard().ranges(ctx, access, prefix),
                parts.guard().allowed(ctx, access, prefix));
        if (request.getWithTokens()) {
            parts.audit().tokensShown(ctx, "watch-tokens", prefix);
        }
        parts.drain().refuseIfBegun();
        StreamAdmission.Place place = parts.admission().watch(ctx, prefix);
        try {
            StatusWatch statusWatch = parts.watches().watch(scope, watchSink, ctx.eventLoop());
            Runnable unregister = failOnShutdown(parts, statusWatch);
            CallerRevocation.on(ctx, statusWatch::fail);
            Futures.whenDone(ctx.log().whenComplete(), (log, error) -> {
                statusWatch.leave();
                unregister.run();
                place.leave();
            });
            return statusWatch;
        } catch (RuntimeException e) {
            place.leave();
            throw e;
        }
    }

    private static Runnable failOnShutdown(ServerComponents parts, StatusWatch statusWatch) {
        try {
            return parts.drain().onBegin(() -> statusWatch.fail(ServerDrain.ending()));
        } catch (RuntimeException e) {
            statusWatch.leave();
            throw e;
        }
    }
}
