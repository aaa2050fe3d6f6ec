package dev.holdfast.client.link;

import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The way to one server. Thread-safe. */
public interface ServerLink extends AutoCloseable {
    /**
     * Makes one call and takes the first message of its answer. Cancelling the future cancels the call.
     *
     * @return fails with {@link LinkException}
     */
    <Q, R> CompletableFuture<R> call(MethodDescriptor<Q, R> method, Q request, Duration timeout);

    /** The credentials of calls, as last read; null if there are none. Another object only after it changed. */
    default @Nullable Object credentials() {
        return null;
    }

    /** The same, read now: for a call that was refused because of it. */
    default @Nullable Object rereadCredentials() {
        return null;
    }

    /** Has the next call try to connect at once, however often that failed. */
    void retryAtOnce();

    /** Lets what is under way end, for a moment. */
    @Override
    void close();
}
