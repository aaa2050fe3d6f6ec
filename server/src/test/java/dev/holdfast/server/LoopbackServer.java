package dev.holdfast.server;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.proto.v1.LeasesGrpc;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;

/** A real server on a free port, on a store of its own. */
public final class LoopbackServer implements AutoCloseable {
    final HoldfastServer server;

    LoopbackServer() {
        this(builder -> builder.store("memory:"));
    }

    public LoopbackServer(UnaryOperator<HoldfastServer.Builder> how) {
        server = how.apply(HoldfastServer.builder().listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
                .build();
        server.start();
    }

    int port() {
        return server.address().getPort();
    }

    public LeasesGrpc.LeasesBlockingStub blocking() {
        return client(LeasesGrpc.LeasesBlockingStub.class);
    }

    public LeasesGrpc.LeasesFutureStub futures() {
        return client(LeasesGrpc.LeasesFutureStub.class);
    }

    LeasesGrpc.LeasesStub async() {
        return client(LeasesGrpc.LeasesStub.class);
    }

    /** A client with a connection of its own, so that a client that does not read blocks no other. */
    LeasesGrpc.LeasesStub async(ClientFactory connections) {
        return client(LeasesGrpc.LeasesStub.class, connections);
    }

    private <T> T client(Class<T> stub) {
        return client(stub, ClientFactory.ofDefault());
    }

    /** A client without a timeout. */
    private <T> T client(Class<T> stub, ClientFactory connections) {
        return GrpcClients.builder("gproto+http://127.0.0.1:" + port() + "/")
                .factory(connections)
                .responseTimeoutMillis(0)
                .maxResponseLength(0)
                .build(stub);
    }

    @Override
    public void close() {
        server.close();
    }
}
