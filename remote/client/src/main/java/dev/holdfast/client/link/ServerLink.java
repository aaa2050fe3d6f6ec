package dev.holdfast.client.link;

import dev.holdfast.client.credentials.BearerTokenFile;
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

    /** Returns the token that calls send as credentials; null if there is none. */
    default @Nullable BearerTokenFile token() {
        return null;
    }

    default @Nullable String credentials() {
        BearerTokenFile token = token();
        return token == null ? null : token.get();
    }

    /** Returns whether the credentials have changed since a call sent {@code before}. */
    default boolean hasOtherCredentials(@Nullable String before) {
        BearerTokenFile token = token();
        return token != null && !token.reread().equals(before);
    }

    /** Makes the next call connect at once, however often that has failed before. */
    default void retryAtOnce() {}

    /** Closes the link. Calls in progress get a short time to complete. */
    @Override
    default void close() {}
}
