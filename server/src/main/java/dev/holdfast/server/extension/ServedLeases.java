package dev.holdfast.server.extension;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.AsyncLeases;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.server.security.AccessGuard;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

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

    /** The same, for libraries that take a blocking client. Its blocking methods must not be called on the server's threads. */
    Leases client();

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

    /**
     * Registers {@code listener}, which is called with each key that is written through this server, on the thread that wrote it. It
     * must be fast.
     *
     * @return removes the registration; idempotent
     */
    Runnable onChanged(Consumer<Key> listener);

    /**
     * Admits a request as a stream, within the limits of watches. Once the server shuts down, or the caller is no longer admitted,
     * {@code end} is called with the reason, on any thread. The place is given back when the request has ended.
     *
     * @throws StatusRuntimeException if the server is shutting down, or the limit is reached
     */
    void openStream(ServiceRequestContext ctx, Consumer<StatusRuntimeException> end);

    /** Writes a line to the audit log when {@code act} has ended. */
    <T> CompletionStage<T> audited(
            ServiceRequestContext ctx,
            String action,
            String target,
            String reason,
            CompletionStage<T> act,
            Function<T, String> result);

    /** The explanation, with the address and program of the call that was granted the lease, if this server granted it. */
    LeaseExplanation withOrigin(LeaseExplanation explanation);

    /** Records that a key was written, so that its watches need not wait for the next scan. */
    void changed(Key key);
}
