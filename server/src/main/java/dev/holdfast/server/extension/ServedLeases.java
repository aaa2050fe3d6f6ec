package dev.holdfast.server.extension;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.AsyncLeases;
import dev.holdfast.Key;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.server.security.AccessGuard;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import java.util.concurrent.CompletableFuture;

/**
 * The leases of a server, for its extensions. Requests made here show in metrics and watches like those of Holdfast's
 * own protocols. Permissions are not checked here: a protocol checks them first, with {@link #guard}. Thread-safe; no
 * method blocks.
 */
public interface ServedLeases {
    /** Time, random ids, and releases. Other requests take the methods below. */
    LeaseService service();

    /** Reads and listings of keys. */
    AsyncLeases leases();

    AccessGuard guard();

    /** The shutdown of the server, of which long requests are notified. */
    ServerDrain drain();

    /** Acquires a key that is not an anchor, if it is free. */
    CompletableFuture<Answer> grant(Key key, LeaseRequest.Acquire ask);

    /**
     * Carries out the request of a holder. Fails with {@link dev.holdfast.LeaseLostException} if its token does not hold
     * the key.
     */
    CompletableFuture<Answer> carryOut(Key key, LeaseRequest request);

    /** Releases the grant if its response is not written completely: a client accepts only a complete response. */
    void releaseIfUndelivered(ServiceRequestContext ctx, Answer outcome);

    /** Records that a key was written, so that its watches need not wait for the next scan. */
    void changed(Key key);
}
