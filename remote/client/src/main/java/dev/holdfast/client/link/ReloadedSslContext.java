package dev.holdfast.client.link;

import dev.holdfast.client.credentials.ReloadedTls;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/** A TLS context of gRPC. Each connection uses the certificates as they are when it is opened. */
@SuppressWarnings("deprecation") // Netty deprecated the type of the protocol negotiator, but not its abstract method.
final class ReloadedSslContext extends SslContext {
    private final ReloadedTls<SslContext> tls;

    ReloadedSslContext(ReloadedTls<SslContext> tls) {
        this.tls = tls;
    }

    @Override
    public boolean isClient() {
        return true;
    }

    @Override
    public List<String> cipherSuites() {
        return tls.current().cipherSuites();
    }

    @Override
    public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
        return tls.current().applicationProtocolNegotiator();
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator) {
        return tls.current().newEngine(allocator);
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator, String host, int port) {
        return tls.current().newEngine(allocator, host, port);
    }

    @Override
    public SSLSessionContext sessionContext() {
        return tls.current().sessionContext();
    }
}
