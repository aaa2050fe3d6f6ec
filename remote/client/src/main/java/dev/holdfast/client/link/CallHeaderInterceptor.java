package dev.holdfast.client.link;

import dev.holdfast.client.credentials.BearerTokenFile;
import dev.holdfast.wire.ProtocolVersion;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An interceptor that sends the client's protocol version and its token with every call, and fails calls if the
 * server's version is incompatible. A server that knows these headers rejects the call itself, before it does anything. An older server
 * does not, so its responses are checked here.
 */
final class CallHeaderInterceptor implements ClientInterceptor {
    private static final Metadata.Key<String> VERSION = key(ProtocolVersion.VERSION_HEADER);
    private static final Metadata.Key<String> OLDEST_PEER = key(ProtocolVersion.OLDEST_PEER_HEADER);

    private static final Metadata.Key<String> AUTHORIZATION = key("authorization");

    private final ProtocolVersion own;
    private final @Nullable BearerTokenFile token;

    CallHeaderInterceptor(ProtocolVersion own, @Nullable BearerTokenFile token) {
        this.own = own;
        this.token = token;
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /**
     * @throws StatusRuntimeException if a client of version {@code own} cannot work with the server that sent these
     *     headers
     */
    static void requireCompatible(ProtocolVersion own, Function<String, @Nullable String> headers) {
        own.conflictWith(ProtocolVersion.of(headers), "client", "server").ifPresent(conflict -> {
            throw Status.FAILED_PRECONDITION.withDescription(conflict).asRuntimeException();
        });
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<R> listener, Metadata headers) {
                headers.put(VERSION, String.valueOf(own.version()));
                headers.put(OLDEST_PEER, String.valueOf(own.oldestPeer()));
                if (token != null) {
                    headers.put(AUTHORIZATION, "Bearer " + token.get());
                }
                super.start(new CheckedListener<>(listener, this), headers);
            }
        };
    }

    /** Confined to the thread on which gRPC calls the listener. */
    private final class CheckedListener<R> extends SimpleForwardingClientCallListener<R> {
        private final ClientCall<?, R> call;
        private @Nullable StatusRuntimeException conflict;

        CheckedListener(ClientCall.Listener<R> delegate, ClientCall<?, R> call) {
            super(delegate);
            this.call = call;
        }

        @Override
        public void onHeaders(Metadata headers) {
            try {
                requireCompatible(own, name -> headers.get(name.equals(VERSION.name()) ? VERSION : OLDEST_PEER));
                super.onHeaders(headers);
            } catch (StatusRuntimeException e) {
                conflict = e;
                call.cancel(e.getStatus().getDescription(), e);
            }
        }

        @Override
        public void onMessage(R message) {
            if (conflict == null) {
                super.onMessage(message);
            }
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            super.onClose(conflict == null ? status : conflict.getStatus(), trailers);
        }
    }
}
