package dev.holdfast.accord;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.security.AccessGuard.Access;
import dev.holdfast.server.wire.WireErrors;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * The listing of handles, in the store's order, which is the order of their keys. accord lists the newest handles
 * first. But stores page by key, and sorting would take memory or a file for all handles of a list.
 */
final class HandleList {
    /**
     * The number of lists that run at a time. Each has up to two pages in memory. More lists would not be faster: the
     * store reads one page at a time.
     */
    private static final int AT_A_TIME = 8;

    /**
     * The maximum number of queued lists. Every accord client lists once, when it starts; a whole large fleet may do so
     * at the same time.
     */
    private static final int QUEUED = 1_000;

    /** The maximum size of handles that slow readers have not read yet: at least 300 pages if handles are small. */
    private static final long PARKED_BYTES = 32L << 20;

    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final ServedLeases leases;
    private final Duration patience;
    private final ListAdmission turns = new ListAdmission(AT_A_TIME, QUEUED, PARKED_BYTES);

    /** @param patience how long a client may take to read one page */
    HandleList(ServedLeases leases, Duration patience) {
        this.leases = leases;
        this.patience = patience;
    }

    void stream(ServiceRequestContext ctx, ListRequest request, ServerCallStreamObserver<Handle> observer) {
        String prefix = request.getFilter().getPrefix();
        Predicate<String> readable = leases.guard().allowed(ctx, Access.READ, prefix);
        HandleFilter filter = new HandleFilter(request.getFilter(), readable);
        HandleStream stream =
                new HandleStream(ctx, leases.service(), filter, mayAdminister(ctx, prefix), turns, observer);
        if (!stream.begin(request.getOffset(), patience)) {
            throw WireErrors.exhausted("LISTS", QUEUED + " lists are queued already", PAUSE);
        }
    }

    /**
     * Whether the caller may see ids. An id is a token, so it is shown only to callers that may see tokens. accord's
     * clients do not use the ids in a list.
     */
    private boolean mayAdminister(ServiceRequestContext ctx, String prefix) {
        try {
            leases.guard().requireAll(ctx, Access.ADMINISTER, prefix);
            return true;
        } catch (StatusRuntimeException e) {
            return false;
        }
    }
}
