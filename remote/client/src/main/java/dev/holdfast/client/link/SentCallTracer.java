package dev.holdfast.client.link;

import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;

/** The record of whether a call got as far as a connection. Thread-safe. */
final class SentCallTracer extends ClientStreamTracer.Factory {
    private volatile boolean maybeSent;

    boolean maybeSent() {
        return maybeSent;
    }

    @Override
    public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
        return new ClientStreamTracer() {
            @Override
            public void outboundHeaders() {
                maybeSent = true;
            }
        };
    }
}
