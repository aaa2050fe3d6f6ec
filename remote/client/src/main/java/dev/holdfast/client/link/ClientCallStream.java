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

/** One stream of calls, from its start to its end. Confined to the event loop, and what it tells is told there. */
final class ClientCallStream extends ClientCall.Listener<CallsResponse> {
    private final Executor loop;
    private final Runnable ready;
    private final BiConsumer<ClientCallStream, CallsResponse> heard;
    private final BiConsumer<ClientCallStream, Status> ended;
    private final SendMark sendMark = new SendMark();
    private @Nullable ClientCall<CallsRequest, CallsResponse> call;
    private final @Nullable Object credentials;
    private boolean hasHeard;
    private boolean halfClosed;

    /**
     * @param credentials what it shows to be let in
     * @param ready called when more can be sent
     * @param ended called once, with how it ended
     */
    ClientCallStream(
            Executor loop,
            @Nullable Object credentials,
            Runnable ready,
            BiConsumer<ClientCallStream, CallsResponse> heard,
            BiConsumer<ClientCallStream, Status> ended) {
        this.loop = loop;
        this.credentials = credentials;
        this.ready = ready;
        this.heard = heard;
        this.ended = ended;
    }

    void start(ManagedChannel channel) {
        call = channel.newCall(LeasesGrpc.getCallsMethod(), CallOptions.DEFAULT.withStreamTracerFactory(sendMark));
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

    /** Whether what was sent may have reached the server. */
    boolean maybeSent() {
        return sendMark.maybe();
    }

    @Nullable
    Object credentials() {
        return credentials;
    }

    /** Whether the server has let it in, as it has answered. */
    boolean hasHeard() {
        return hasHeard;
    }

    /** Nothing more is sent; the server answers what it has, and ends the stream. */
    void halfClose() {
        if (!halfClosed) {
            halfClosed = true;
            call().halfClose();
        }
    }

    // Where these are called is gRPC's to choose: before there is a connection it is any thread, perhaps within
    // start().

    @Override
    public void onReady() {
        loop.execute(ready);
    }

    @Override
    public void onMessage(CallsResponse message) {
        loop.execute(() -> {
            hasHeard = true;
            heard.accept(this, message);
            call().request(1);
        });
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        loop.execute(() -> ended.accept(this, status));
    }
}
