package dev.holdfast.server;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.grpc.GrpcClientBuilder;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A real server on a free loopback port, for tests of authentication, limits, TLS and metrics. */
public final class EdgeServer implements AutoCloseable {
    public static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final HoldfastServer server;
    private final @Nullable ServerPerimeter serverPerimeter;

    /** A server on a store in memory, unless {@code how} sets another one. */
    public EdgeServer(UnaryOperator<HoldfastServer.Builder> how) {
        this(how, null);
    }

    private EdgeServer(UnaryOperator<HoldfastServer.Builder> how, @Nullable ServerPerimeter serverPerimeter) {
        this.serverPerimeter = serverPerimeter;
        server = how.apply(HoldfastServer.builder().store("memory:").listen(ANY_PORT))
                .build();
        server.start();
    }

    /** A server with everything that a production server has around its services. */
    public static EdgeServer with(PerimeterOptions options) {
        return with(new ServerPerimeter(options), server -> server);
    }

    public static EdgeServer with(ServerPerimeter serverPerimeter, UnaryOperator<HoldfastServer.Builder> how) {
        return new EdgeServer(server -> how.apply(serverPerimeter.around(server, ANY_PORT)), serverPerimeter);
    }

    public int port() {
        return server.address().getPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    public WebClient http() {
        return WebClient.of(url());
    }

    /** A gRPC stub. */
    public <T> T stub(Class<T> type) {
        return GrpcClients.newClient("gproto+" + url() + "/", type);
    }

    /** A gRPC stub that presents a token. */
    public <T> T stub(Class<T> type, String secret) {
        return GrpcClients.builder("gproto+" + url() + "/")
                .addHeader("authorization", "Bearer " + secret)
                .responseTimeoutMillis(0)
                .build(type);
    }

    /** The builder of gRPC stubs over TLS. */
    public GrpcClientBuilder secure(ClientFactory factory) {
        return GrpcClients.builder("gproto+https://localhost:" + port() + "/").factory(factory);
    }

    @Override
    public void close() {
        server.close();
        if (serverPerimeter != null) {
            serverPerimeter.close();
        }
    }
}
