package dev.holdfast.client.link;

import dev.holdfast.client.credentials.BearerTokenFile;
import dev.holdfast.support.Futures;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A link over one HTTP/2 connection, for any number of calls. */
public final class GrpcServerLink implements ServerLink {
    /** The time for calls in progress when the link is closed: a release or two. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final ManagedChannel channel;
    private final StreamedCalls streamed;
    private final @Nullable BearerTokenFile token;

    /** @param loop the event loop of the channel */
    GrpcServerLink(ManagedChannel channel, EventLoop loop, @Nullable BearerTokenFile token) {
        this.channel = channel;
        this.token = token;
        this.streamed = new StreamedCalls(channel, loop, this::credentials);
    }

    /** Returns the channel, for streams, which last until they break. */
    public ManagedChannel channel() {
        return channel;
    }

    @Override
    @SuppressWarnings("unchecked") // The response on a stream has the type of its method.
    public <Q, R> CompletableFuture<R> call(MethodDescriptor<Q, R> method, Q request, Duration timeout) {
        return StreamedCall.of(request)
                .map(call -> (CompletableFuture<R>) streamed.call(call, timeout))
                .orElseGet(() -> callUnary(method, request, timeout));
    }

    private <Q, R> CompletableFuture<R> callUnary(MethodDescriptor<Q, R> method, Q request, Duration timeout) {
        SentCallTracer tracer = new SentCallTracer();
        CallOptions options = CallOptions.DEFAULT
                .withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .withStreamTracerFactory(tracer);
        ClientCall<Q, R> call = channel.newCall(method, options);
        FirstMessage<R> answer = new FirstMessage<>(tracer);
        call.start(answer, new Metadata());
        call.request(2);
        call.sendMessage(request);
        call.halfClose();
        Futures.whenDone(answer.result, (value, error) -> {
            if (answer.result.isCancelled()) {
                call.cancel("the caller has given up", null);
            }
        });
        return answer.result;
    }

    @Override
    public @Nullable BearerTokenFile token() {
        return token;
    }

    @Override
    public void retryAtOnce() {
        channel.resetConnectBackoff();
    }

    @Override
    public void close() {
        streamed.close();
        channel.shutdown();
        try {
            channel.awaitTermination(CLOSE_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        channel.shutdownNow();
    }

    private static final class FirstMessage<R> extends ClientCall.Listener<R> {
        private final CompletableFuture<R> result = new CompletableFuture<>();
        private final SentCallTracer tracer;
        private @Nullable R message;

        FirstMessage(SentCallTracer tracer) {
            this.tracer = tracer;
        }

        @Override
        public void onMessage(R newMessage) {
            if (message == null) {
                message = newMessage;
            }
        }

        // Only a complete response counts: the server treats an incomplete one as not received.
        @Override
        public void onClose(Status status, Metadata trailers) {
            if (status.isOk() && message != null) {
                result.complete(message);
            } else {
                Status error = status.isOk() ? Status.INTERNAL.withDescription("an empty response") : status;
                result.completeExceptionally(new LinkException(error.asRuntimeException(trailers), tracer.maybeSent()));
            }
        }
    }
}
