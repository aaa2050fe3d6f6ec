package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.Duration;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerListenerAdapter;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.WatchRequest;
import dev.holdfast.server.log.RecordedLog;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import io.grpc.Context;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.event.Level;

/** Clients that cancel, reset or disconnect. */
@Tag("slow")
@Isolated("looks at the whole log")
class OrdinaryEndsTest {
    private static final String WAITING = "holdfast_waiting 0.0";

    @Test
    void printNoStackTraces() throws Exception {
        long before = RecordedLog.written();
        AtomicLong reportEveryMillis = new AtomicLong(-1);
        try (EdgeServer server = EdgeServer.with(
                new ServerPerimeter(PerimeterOptions.builder().build()),
                builder -> builder.with((armeria, parts) -> armeria.serverListener(new ServerListenerAdapter() {
                    @Override
                    public void serverStarted(Server started) {
                        reportEveryMillis.set(started.config().unloggedExceptionsReportIntervalMillis());
                    }
                })))) {
            LeasesGrpc.LeasesBlockingStub blocking = server.stub(LeasesGrpc.LeasesBlockingStub.class);
            blocking.acquire(ask("held", 0));

            for (int i = 0; i < 5; i++) {
                cancelWait(server);
                TestSession.open(server.stub(LeasesGrpc.LeasesStub.class), "worker-" + i)
                        .breakOff();
                TestCalls calls = new TestCalls(server.stub(LeasesGrpc.LeasesStub.class));
                calls.send(TestCalls.acquire(1, "", "called-" + i));
                calls.next();
                calls.breakOff();
                Context.CancellableContext watching = Context.current().withCancellation();
                watching.run(
                        () -> blocking.watch(WatchRequest.getDefaultInstance()).next());
                watching.cancel(null);
                disconnect(server, waitOverHttp(), true);
                disconnect(server, waitOverHttp(), false);
                disconnect(server, "GET /v1/watch HTTP/1.1\r\nHost: localhost\r\n\r\n", true);
                disconnect(
                        server,
                        "POST /v1/leases/a/acquire HTTP/1.1\r\nHost: localhost\r\ncontent-length: 900\r\n\r\n{",
                        true);
            }
            Eventually.until(() -> server.http()
                    .get("/metrics")
                    .aggregate()
                    .join()
                    .contentUtf8()
                    .contains(WAITING));
        }
        // Armeria reports exceptions that it considers unhandled only at intervals.
        assertThat(reportEveryMillis.get()).isZero();
        assertThat(RecordedLog.linesAfter(before))
                .filteredOn(line -> !line.logger().startsWith("com.linecorp.armeria.client"))
                .filteredOn(line -> line.level().toInt() >= Level.WARN.toInt() && line.error() != null)
                .isEmpty();
    }

    private static AcquireRequest ask(String name, int waitSeconds) {
        AcquireRequest.Builder ask = AcquireRequest.newBuilder()
                .setName(name)
                .setHolder("ann")
                .setTerm(Duration.newBuilder().setSeconds(3_600));
        return waitSeconds == 0
                ? ask.build()
                : ask.setWait(Duration.newBuilder().setSeconds(waitSeconds)).build();
    }

    private static void cancelWait(EdgeServer server) {
        ListenableFuture<AcquireResponse> waiting =
                server.stub(LeasesGrpc.LeasesFutureStub.class).acquire(ask("held", 600));
        Eventually.until(() ->
                !server.http().get("/metrics").aggregate().join().contentUtf8().contains(WAITING));
        waiting.cancel(true);
    }

    private static String waitOverHttp() {
        String body = "{\"holder\":\"bob\",\"wait\":\"600s\"}";
        return "POST /v1/leases/held/acquire HTTP/1.1\r\nHost: localhost\r\ncontent-length: " + body.length()
                + "\r\n\r\n" + body;
    }

    /** @param reset whether the connection is reset or closed normally */
    private static void disconnect(EdgeServer server, String request, boolean reset) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            if (reset) {
                socket.setSoLinger(true, 0);
            }
        }
    }
}
