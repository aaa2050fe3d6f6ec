package dev.holdfast.client.link;

import dev.holdfast.proto.v1.CallsRequest;
import dev.holdfast.proto.v1.CallsResponse;
import dev.holdfast.proto.v1.LeasesGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One stream of calls, from its start to its end. Confined to the event loop, on which it also calls its callbacks. */
final class ClientCallStream extends ClientCall.Listener<CallsResponse> {
    private final Executor loop;
    private final Runnable ready;
    private final BiConsumer<ClientCallStream, CallsResponse> onResponse;
    private final BiConsumer<ClientCallStream, Status> ended;
    private final SentCallTracer tracer = new SentCallTracer();
    private @Nullable ClientCall<CallsRequest, CallsResponse> call;
    private final @Nullable String credentials;
    private boolean hasResponse;
    private boolean halfClosed;

    /**
     * @param credentials the credentials that it sends
     * @param ready called when more can be sent
     * @param onResponse called with each response
     * @param ended called once, with the final status
     */
    ClientCallStream(
            Executor loop,
            @Nullable String credentials,
            Runnable ready,
            BiConsumer<ClientCallStream, CallsResponse> onResponse,
            BiConsumer<ClientCallStream, Status> ended) {
        this.loop = loop;
        this.credentials = credentials;
        this.ready = ready;
        this.onResponse = onResponse;
        this.ended = ended;
    }

    void start(ManagedChannel channel) {
        call = channel.newCall(LeasesGrpc.getCallsMethod(), CallOptions.DEFAULT.withStreamTracerFactory(tracer));
        call.start(this, new Metadata());
        call.request(1);
    }

    private ClientCall<CallsRequest, CallsResponse> call() {
        return Objects.requireNonNull(call);
    }

    boolean isReady() {
        return !halfClosed && call().isReady();
    }

    void send(CallsRequest message) {
        call().sendMessage(message);
    }

    /** Returns whether the sent calls may have reached the server. */
    boolean maybeSent() {
        return tracer.maybeSent();
    }

    @Nullable
    String credentials() {
        return credentials;
    }

    /** Returns whether the server has responded, and so has accepted the credentials. */
    boolean hasResponse() {
        return hasResponse;
    }

    /** Stops sending. The server responds to the calls that it has received, and ends the stream. */
    void halfClose() {
        if (!halfClosed) {
            halfClosed = true;
            call().halfClose();
        }
    }

    // gRPC chooses the thread of these callbacks. Without a connection it is any thread, perhaps within start().

    @Override
    public void onReady() {
        loop.execute(ready);
    }

    @Override
    public void onMessage(CallsResponse message) {
        loop.execute(() -> {
            hasResponse = true;
            onResponse.accept(this, message);
            call().request(1);
        });
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        loop.execute(() -> ended.accept(this, status));
    }
}
