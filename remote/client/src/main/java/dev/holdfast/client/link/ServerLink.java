package dev.holdfast.client.link;

import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The link to one server. Thread-safe. */
public interface ServerLink extends AutoCloseable {
    /**
     * Makes one call and returns the first message of its response. Cancelling the future cancels the call.
     *
     * @return fails with {@link LinkException}
     */
    <Q, R> CompletableFuture<R> call(MethodDescriptor<Q, R> method, Q request, Duration timeout);

    /**
     * Returns the credentials of calls, as last read; null if there are none. They are a different object only after
     * they have changed.
     */
    default @Nullable Object credentials() {
        return null;
    }

    /** Returns the credentials as they are now, for a retry after they were rejected. */
    default @Nullable Object rereadCredentials() {
        return null;
    }

    /** Makes the next call connect at once, however often that has failed before. */
    void retryAtOnce();

    /** Closes the link. Calls in progress get a short time to complete. */
    @Override
    void close();
}
