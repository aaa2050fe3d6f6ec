package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.client.credentials.LinkSecurity;
import dev.holdfast.client.link.GrpcLinks;
import dev.holdfast.client.link.LinkException;
import dev.holdfast.client.link.ServerLink;
import dev.holdfast.client.link.ServerLinks;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.support.StoreUrl.UrlHost;
import dev.holdfast.testkit.FaultyStore;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls that share one stream: each ends independently, and in time. */
@Tag("slow")
class StreamedCallsTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final SystemEnvironment runtime = new SystemEnvironment();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime, 1, true));
    private final Leases leases = Holdfast.open(
            store,
            LeasesOptions.builder().operationTimeout(Duration.ofMinutes(5)).build());
    private final TestServer server = TestServer.of(leases);
    private final ServerLinks serverLinks = links(server.port());

    private static ServerLinks links(int port) {
        return GrpcLinks.open(
                List.of(new UrlHost("127.0.0.1", port)), new LinkSecurity(false, null, null, null, null), 0);
    }

    @AfterEach
    void close() {
        store.letGo();
        serverLinks.close();
        server.close();
        leases.close();
        runtime.close();
    }

    private static CompletableFuture<AcquireResponse> acquire(ServerLink serverLink, String name, Duration timeout) {
        AcquireRequest request = AcquireRequest.newBuilder()
                .setName(name)
                .setHolder("ann")
                .setTerm(com.google.protobuf.Duration.newBuilder().setSeconds(3600))
                .build();
        return serverLink.call(LeasesGrpc.getAcquireMethod(), request, timeout);
    }

    private static LinkException failure(CompletableFuture<?> call) throws Exception {
        try {
            call.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            return (LinkException) Objects.requireNonNull(e.getCause());
        }
        throw new AssertionError("it did not fail");
    }

    private static void until(BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.MINUTES.toNanos(1));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private boolean isFree(String name) {
        return leases.get(Key.of(name)).map(status -> !status.isHeld()).orElse(false);
    }

    /** Requests of one stream arrive in order. Once the server rejects this one, it has read all earlier ones. */
    private void untilTheServerHasReadEverything() throws Exception {
        assertThat(failure(acquire(serverLinks.current(), "", LONG)).status().getCode())
                .isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void manyConcurrentCallsAllGetAResponse() throws Exception {
        List<CompletableFuture<AcquireResponse>> calls = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            calls.add(acquire(serverLinks.current(), "many-" + i, LONG));
        }
        for (CompletableFuture<AcquireResponse> call : calls) {
            assertThat(call.get(60, TimeUnit.SECONDS).hasGranted()).isTrue();
        }
    }

    @Test
    void aCallThatTimesOutDoesNotAffectOthers() throws Exception {
        acquire(serverLinks.current(), "first", LONG).get(60, TimeUnit.SECONDS);
        store.hold();
        CompletableFuture<AcquireResponse> hasty = acquire(serverLinks.current(), "hasty", Duration.ofMillis(300));
        until(() -> store.waiting() == 1);
        CompletableFuture<AcquireResponse> patient = acquire(serverLinks.current(), "patient", LONG);

        LinkException late = failure(hasty);
        assertThat(late.status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        assertThat(late.wasSent()).isTrue();
        untilTheServerHasReadEverything();
        store.letGo();

        assertThat(patient.get(60, TimeUnit.SECONDS).hasGranted()).isTrue();
        until(() -> isFree("hasty")); // The server was notified, and released the grant.
    }

    @Test
    void aCancelledAcquireIsReleased() throws Exception {
        store.hold();
        CompletableFuture<AcquireResponse> unwanted = acquire(serverLinks.current(), "unwanted", LONG);
        until(() -> store.waiting() == 1);

        unwanted.cancel(false);
        untilTheServerHasReadEverything();
        store.letGo();

        until(() -> isFree("unwanted"));
    }

    @Test
    void withoutAServerNothingWasSent() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        try (ServerLinks nowhere = links(port)) {
            LinkException failure = failure(acquire(nowhere.current(), "a", LONG));
            assertThat(failure.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(failure.wasSent()).isFalse();
        }
    }

    @Test
    void afterTheCloseAllCallsFailAtOnce() throws Exception {
        ServerLinks closed = links(server.port());
        acquire(closed.current(), "a", LONG).get(60, TimeUnit.SECONDS);
        closed.close();

        assertThat(failure(acquire(closed.current(), "b", LONG)).wasSent()).isFalse();
        assertThat(failure(acquire(closed.current(), "c", LONG)).wasSent()).isFalse();
    }
}
