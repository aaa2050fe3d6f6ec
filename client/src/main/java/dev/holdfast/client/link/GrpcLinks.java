package dev.holdfast.client.link;

import dev.holdfast.wire.ProtocolVersion;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NegotiationType;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Opens connections to servers. Nothing connects before the first call. */
public final class GrpcLinks {
    /** A page of keys with all their attributes. */
    private static final int MAX_MESSAGE = 64 * 1024 * 1024;
    /** After this silence a server is asked whether it is there, while calls wait for it. */
    private static final int PING_SECONDS = 10;

    private static final int PING_TIMEOUT_SECONDS = 5;
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private GrpcLinks() {}

    /**
     * @param first which to begin with
     * @throws IllegalArgumentException if a certificate or key cannot be read
     */
    public static Links open(List<Address> servers, Security security, int first) {
        return open(servers, security, first, ProtocolVersion.CURRENT);
    }

    /** @param own the version that this client states */
    static Links open(List<Address> servers, Security security, int first, ProtocolVersion own) {
        SslContext tls = security.tls() ? context(security) : null;
        // One thread of our own reads answers and hands them out: with a second one for that, every call would wake
        // both.
        ThreadFactory thread = GrpcLinks::thread;
        EventLoopGroup answers = new MultiThreadIoEventLoopGroup(1, thread, NioIoHandler.newFactory());
        List<GrpcLink> links = servers.stream()
                .map(server ->
                        new GrpcLink(channel(server, security, tls, answers, own), answers.next(), security.token()))
                .toList();
        return new Links(links, first, () -> {
            var unused = answers.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        });
    }

    private static ManagedChannel channel(
            Address server, Security security, @Nullable SslContext tls, EventLoopGroup answers, ProtocolVersion own) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(server.host(), server.port())
                .eventLoopGroup(answers)
                .channelType(NioSocketChannel.class)
                .directExecutor()
                .disableRetry()
                .intercept(new VersionCheck(own))
                .maxInboundMessageSize(MAX_MESSAGE)
                .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(PING_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (tls == null) {
            builder.negotiationType(NegotiationType.PLAINTEXT);
        } else {
            builder.sslContext(tls);
        }
        if (security.token() != null) {
            builder.intercept(bearer(security.token()));
        }
        return builder.build();
    }

    private static SslContext context(Security security) {
        ReloadedKeys keys = PemContext.keys(security);
        SslContextBuilder builder = GrpcSslContexts.forClient();
        X509ExtendedTrustManager trust = keys.trust();
        if (trust != null) {
            builder.trustManager(trust);
        }
        X509ExtendedKeyManager own = keys.own();
        if (own != null) {
            builder.keyManager(own);
        }
        try {
            return builder.build();
        } catch (SSLException e) {
            throw PemContext.unusable(e);
        }
    }

    private static ClientInterceptor bearer(BearerToken token) {
        return new ClientInterceptor() {
            @Override
            public <Q, R> ClientCall<Q, R> interceptCall(
                    MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
                return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                    @Override
                    public void start(Listener<R> listener, Metadata headers) {
                        headers.put(AUTHORIZATION, "Bearer " + token.get());
                        super.start(listener, headers);
                    }
                };
            }
        };
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "holdfast-answers");
        thread.setDaemon(true);
        return thread;
    }
}
