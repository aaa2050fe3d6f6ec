package dev.holdfast.bench.accord;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.holdfast.bench.BenchProcess;
import dev.holdfast.proto.accord.AcquireRequest;
import dev.holdfast.proto.accord.AcquireResponse;
import dev.holdfast.proto.accord.DoneRequest;
import dev.holdfast.proto.accord.DoneResponse;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.proto.accord.Status;
import dev.holdfast.proto.accord.V1Grpc;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A server for {@link AccordReplica} with accord's wire protocol, in its own process: acquire, done and lists. Each call
 * runs on a thread of its own and takes a connection from a pool.
 */
public final class AccordReplicaServer extends BenchProcess {
    /** As many as there are callers in the largest comparison with accord; its own pool was too small for that. */
    private static final int CONNECTIONS = 64;

    AccordReplicaServer(int postgresPort) throws IOException {
        super(AccordReplicaServer.class, String.valueOf(postgresPort));
    }

    /** Arguments: the ports of PostgreSQL and, if it must not be any, its own. Prints its port; ends when its input ends. */
    public static void main(String[] args) throws Exception {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl("jdbc:postgresql://localhost:" + args[0] + "/postgres");
        database.setUser("postgres");
        database.setPassword("postgres");
        AccordReplica replica = new AccordReplica(database, CONNECTIONS);
        int port = args.length > 1 ? Integer.parseInt(args[1]) : 0;
        Server server = Server.builder()
                .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .requestTimeoutMillis(0)
                .service(GrpcService.builder()
                        .addService(new AccordCalls(replica))
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

    private static final class AccordCalls extends V1Grpc.V1ImplBase {
        /** Checking before every handle whether the client is ready would switch threads for every handle. */
        private static final int AT_ONCE = 500;

        private final AccordReplica replica;

        AccordCalls(AccordReplica replica) {
            this.replica = replica;
        }

        @Override
        public void acquire(AcquireRequest request, StreamObserver<AcquireResponse> response) {
            try {
                AcquireResponse.Builder answer = AcquireResponse.newBuilder();
                replica.statements()
                        .acquire(
                                request.getOwner(),
                                request.getNamespace(),
                                request.getName(),
                                Duration.ofSeconds(request.getTtl()))
                        .ifPresentOrElse(
                                id -> answer.setStatus(Status.OK)
                                        .setHandle(Handle.newBuilder().setId(AccordReplica.bytes(id))),
                                () -> answer.setStatus(Status.HELD));
                response.onNext(answer.build());
                response.onCompleted();
            } catch (SQLException e) {
                response.onError(e);
            }
        }

        @Override
        public void done(DoneRequest request, StreamObserver<DoneResponse> response) {
            try {
                replica.statements().done(AccordReplica.id(request.getHandleId()), request.getOwner());
                response.onNext(DoneResponse.getDefaultInstance());
                response.onCompleted();
            } catch (SQLException e) {
                response.onError(e);
            }
        }

        /** Sends as fast as the client reads. */
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
