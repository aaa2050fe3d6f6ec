package dev.holdfast.bench.accord;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.holdfast.bench.BenchProcess;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.proto.accord.V1Grpc;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import org.postgresql.ds.PGSimpleDataSource;

/** A server for {@link AccordReplica} with accord's wire protocol, in its own process. It only supports lists. */
final class AccordReplicaServer extends BenchProcess {
    AccordReplicaServer(int postgresPort) throws IOException {
        super(AccordReplicaServer.class, String.valueOf(postgresPort));
    }

    /** Argument: the port of PostgreSQL. Prints its own port; ends when its input ends. */
    public static void main(String[] args) throws Exception {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl("jdbc:postgresql://localhost:" + args[0] + "/postgres");
        database.setUser("postgres");
        database.setPassword("postgres");
        AccordReplica replica = new AccordReplica(database, 4);
        Server server = Server.builder()
                .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .requestTimeoutMillis(0)
                .service(GrpcService.builder()
                        .addService(new Lists(replica))
                        .useBlockingTaskExecutor(true)
                        .build())
                .build();
        server.start().join();
        System.out.println(server.activeLocalPort());
        while (System.in.read() >= 0) {
            // Wait for the end of the input.
        }
        System.exit(0);
    }

    /** The list call, which sends as fast as the client reads. */
    private static final class Lists extends V1Grpc.V1ImplBase {
        /** Checking before every handle whether the client is ready would switch threads for every handle. */
        private static final int AT_ONCE = 500;

        private final AccordReplica replica;

        Lists(AccordReplica replica) {
            this.replica = replica;
        }

        @Override
        public void list(ListRequest request, StreamObserver<Handle> responses) {
            ServerCallStreamObserver<Handle> observer = (ServerCallStreamObserver<Handle>) responses;
            Object ready = new Object();
            observer.setOnReadyHandler(() -> {
                synchronized (ready) {
                    ready.notifyAll();
                }
            });
            new Thread(() -> send(observer, ready)).start();
        }

        private void send(ServerCallStreamObserver<Handle> observer, Object ready) {
            try {
                int[] sent = new int[1];
                replica.list(handle -> {
                    if (sent[0]++ % AT_ONCE == 0) {
                        awaitReady(observer, ready);
                    }
                    observer.onNext(handle);
                });
                observer.onCompleted();
            } catch (SQLException e) {
                observer.onError(e);
            }
        }

        private static void awaitReady(ServerCallStreamObserver<Handle> observer, Object ready) {
            synchronized (ready) {
                while (!observer.isReady() && !observer.isCancelled()) {
                    try {
                        ready.wait(1_000);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        }
    }
}
