package dev.holdfast.server;

import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.proto.v1.LeasesGrpc;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;

/** A real server on a free port, on a store of its own. */
final class LoopbackServer implements AutoCloseable {
    final HoldfastServer server;

    LoopbackServer() {
        this(builder -> builder.store("memory:"));
    }

    LoopbackServer(UnaryOperator<HoldfastServer.Builder> how) {
        server = how.apply(HoldfastServer.builder().listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
                .build();
        server.start();
    }

    int port() {
        return server.address().getPort();
    }

    LeasesGrpc.LeasesBlockingStub blocking() {
        return GrpcClients.newClient("gproto+http://127.0.0.1:" + port() + "/", LeasesGrpc.LeasesBlockingStub.class);
    }

    LeasesGrpc.LeasesFutureStub futures() {
        return GrpcClients.newClient("gproto+http://127.0.0.1:" + port() + "/", LeasesGrpc.LeasesFutureStub.class);
    }

    LeasesGrpc.LeasesStub async() {
        return GrpcClients.newClient("gproto+http://127.0.0.1:" + port() + "/", LeasesGrpc.LeasesStub.class);
    }

    @Override
    public void close() {
        server.close();
    }
}
