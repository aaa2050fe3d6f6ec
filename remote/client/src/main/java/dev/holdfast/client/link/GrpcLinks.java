package dev.holdfast.client.link;

import dev.holdfast.client.credentials.LinkSecurity;
import dev.holdfast.client.credentials.ReloadedTls;
import dev.holdfast.support.StoreUrl.UrlHost;
import dev.holdfast.wire.ProtocolVersion;
import io.grpc.ManagedChannel;
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
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** The factory of gRPC links to servers. It connects on the first call. */
public final class GrpcLinks {
    /** Enough for a page of keys with all their attributes. */
    private static final int MAX_MESSAGE = 64 * 1024 * 1024;
    /** If a server sends nothing for this long while calls wait for it, it is pinged. */
    private static final int PING_SECONDS = 10;

    private static final int PING_TIMEOUT_SECONDS = 5;

    private GrpcLinks() {}

    /**
     * @param first the index of the server to start with
     * @throws IllegalArgumentException if a certificate or key cannot be read
     */
    public static ServerLinks open(List<UrlHost> servers, LinkSecurity security, int first) {
        return open(servers, security, first, ProtocolVersion.CURRENT);
    }

    /** @param own the protocol version that this client sends */
    static ServerLinks open(List<UrlHost> servers, LinkSecurity security, int first, ProtocolVersion own) {
        SslContext tls = security.tls() ? new ReloadedSslContext(ReloadedTls.open(security, GrpcLinks::context)) : null;
        // A single thread reads responses and completes their futures. With a second thread for that, every call would
        // wake both.
        ThreadFactory thread = GrpcLinks::thread;
        EventLoopGroup answers = new MultiThreadIoEventLoopGroup(1, thread, NioIoHandler.newFactory());
        List<GrpcServerLink> links = servers.stream()
                .map(server -> new GrpcServerLink(
                        channel(server, security, tls, answers, own), answers.next(), security.token()))
                .toList();
        return new ServerLinks(links, first, () -> {
            var unused = answers.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        });
    }

    private static ManagedChannel channel(
            UrlHost server,
            LinkSecurity security,
            @Nullable SslContext tls,
            EventLoopGroup answers,
            ProtocolVersion own) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(server.name(), server.port())
                .eventLoopGroup(answers)
                .channelType(NioSocketChannel.class)
                .directExecutor()
                .disableRetry()
                .userAgent(ClientProgram.USER_AGENT)
                .intercept(new CallHeaderInterceptor(own, security.token()))
                .maxInboundMessageSize(MAX_MESSAGE)
                .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(PING_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (tls == null) {
            builder.negotiationType(NegotiationType.PLAINTEXT);
        } else {
            builder.sslContext(tls);
        }
        return builder.build();
    }

    private static SslContext context(@Nullable X509TrustManager trust, @Nullable X509KeyManager own)
            throws SSLException {
        SslContextBuilder builder = GrpcSslContexts.forClient();
        if (trust != null) {
            builder.trustManager(trust);
        }
        if (own != null) {
            builder.keyManager(own);
        }
        return builder.build();
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "holdfast-answers");
        thread.setDaemon(true);
        return thread;
    }
}
