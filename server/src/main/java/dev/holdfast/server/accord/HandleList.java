package dev.holdfast.server.accord;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.server.AccessGuard.Access;
import dev.holdfast.server.ServerComponents;
import dev.holdfast.server.wire.WireErrors;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * Lists handles, in the store's order, which is that of their keys: accord lists the newest first, but stores page by
 * key, and to put all handles of a list in order would take memory or a file for all of them.
 */
final class HandleList {
    /** Each has up to two pages in memory. More lists would not be faster: the store reads one page at a time. */
    private static final int AT_A_TIME = 8;

    /** Every client of accord lists once, when it starts; all of a large fleet may do so at once. */
    private static final int QUEUED = 1_000;

    /** Of handles that slow readers have yet to take: 300 pages and more, if handles are small. */
    private static final long PARKED_BYTES = 32L << 20;

    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final ServerComponents parts;
    private final Duration patience;
    private final ListAdmission turns = new ListAdmission(AT_A_TIME, QUEUED, PARKED_BYTES);

    /** @param patience how long a reader may take for one page */
    HandleList(ServerComponents parts, Duration patience) {
        this.parts = parts;
        this.patience = patience;
    }

    void stream(ServiceRequestContext ctx, ListRequest request, ServerCallStreamObserver<Handle> observer) {
        String prefix = request.getFilter().getPrefix();
        Predicate<String> readable = parts.guard().allowed(ctx, Access.READ, prefix);
        HandleFilter filter = new HandleFilter(request.getFilter(), readable);
        HandleStream stream =
                new HandleStream(ctx, parts.leases(), filter, mayAdminister(ctx, prefix), turns, observer);
        if (!stream.begin(request.getOffset(), patience)) {
            throw StatusProto.toStatusRuntimeException(
                    WireErrors.exhausted("LISTS", QUEUED + " lists wait for their turn already", PAUSE));
        }
    }

    /** An id is a token: only callers that may see tokens see it. accord's clients do not look at it in a list. */
    private boolean mayAdminister(ServiceRequestContext ctx, String prefix) {
        try {
            parts.guard().requireAll(ctx, Access.ADMINISTER, prefix);
            return true;
        } catch (StatusRuntimeException e) {
            return false;
        }
    }
}
