package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.Duration;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.Granted;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.State;
import dev.holdfast.server.calls.CountingAdmission;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Waiting at a server: in order of arrival, and only for connected clients. */
class WaitingTest {
    private static LoopbackServer server;
    private static LeasesGrpc.LeasesBlockingStub leases;
    private static final CountingAdmission admission = new CountingAdmission();

    @BeforeAll
    static void start() {
        server = new LoopbackServer(builder -> builder.store("memory:").admission(admission));
        leases = server.blocking();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static AcquireRequest ask(String name, String holder, int waitSeconds) {
        return AcquireRequest.newBuilder()
                .setName(name)
                .setHolder(holder)
                .setTerm(Duration.newBuilder().setSeconds(60))
                .setWait(Duration.newBuilder().setSeconds(waitSeconds))
                .build();
    }

    private static void release(String name, Granted granted) {
        assertThat(leases.release(ReleaseRequest.newBuilder()
                                .setName(name)
                                .setToken(granted.getToken())
                                .build())
                        .getReleased())
                .isTrue();
    }

    private static ListenableFuture<AcquireResponse> startWaiting(String name, String holder) {
        int before = admission.waiting();
        ListenableFuture<AcquireResponse> asked = server.futures().acquire(ask(name, holder, 60));
        admission.untilWaiting(before + 1);
        return asked;
    }

    @Test
    void aHundredClientsAreServedInOrderOfArrival() throws Exception {
        Granted granted = leases.acquire(ask("fair", "first", 0)).getGranted();
        List<ListenableFuture<AcquireResponse>> line = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            line.add(startWaiting("fair", "client-" + i));
        }

        long fence = granted.getFence();
        for (int i = 0; i < 100; i++) {
            release("fair", granted);
            granted = line.get(i).get(30, TimeUnit.SECONDS).getGranted();
            assertThat(granted.getStatus().getGrant().getHolder()).isEqualTo("client-" + i);
            assertThat(granted.getFence()).isGreaterThan(fence);
            fence = granted.getFence();
            assertThat(line.subList(i + 1, 100)).noneMatch(ListenableFuture::isDone);
        }
        release("fair", granted);
    }

    @Test
    void aClientThatDoesNotWaitDoesNotOvertakeTheQueue() throws Exception {
        Granted granted = leases.acquire(ask("no-overtaking", "first", 0)).getGranted();
        ListenableFuture<AcquireResponse> second = startWaiting("no-overtaking", "second");

        release("no-overtaking", granted);
        AcquireResponse third = leases.acquire(ask("no-overtaking", "third", 0));

        assertThat(third.getHeld().getHolder()).isEqualTo("second");
        assertThat(second.get(30, TimeUnit.SECONDS).hasGranted()).isTrue();
    }

    @Test
    void aDisconnectedClientIsNotGrantedAnything() throws Exception {
        Granted granted = leases.acquire(ask("cancelled", "first", 0)).getGranted();
        ListenableFuture<AcquireResponse> gone = startWaiting("cancelled", "gone");
        ListenableFuture<AcquireResponse> patient = startWaiting("cancelled", "patient");
        int both = admission.waiting();

        gone.cancel(true);
        admission.untilWaiting(both - 1);
        release("cancelled", granted);

        Granted next = patient.get(30, TimeUnit.SECONDS).getGranted();
        assertThat(next.getStatus().getGrant().getHolder()).isEqualTo("patient");
        assertThat(next.getStatus().getGrants()).as("grants of the key").isEqualTo(2);
    }

    @Test
    void aClosedSocketLeavesTheWaitQueue() throws Exception {
        Granted granted = leases.acquire(ask("hung-up", "first", 0)).getGranted();
        int before = admission.waiting();
        try (Socket socket = postAcquire("hung-up", "{\"holder\":\"gone\",\"wait\":\"60s\"}")) {
            assertThat(socket.isConnected()).isTrue();
            admission.untilWaiting(before + 1);
        }
        admission.untilWaiting(before);

        release("hung-up", granted);

        assertThat(leases.get(GetRequest.newBuilder().setName("hung-up").build())
                        .getStatus()
                        .getState())
                .isEqualTo(State.STATE_FREE);
    }

    @Test
    void anUndeliveredGrantIsGivenBack() throws Exception {
        int stayed = 0;
        for (int i = 0; i < 20; i++) {
            String name = "vanished-" + i;
            // The client disconnects at some moment between the request and its response.
            postAcquire(name, "{\"holder\":\"gone\",\"term\":\"1h\"}").close();
            stayed += isFreeSoon(name) ? 0 : 1;
        }
        // A response that was written just before the client closed its socket counts as delivered.
        assertThat(stayed).isLessThan(10);
    }

    private static boolean isFreeSoon(String name) {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(2)) {
            AcquireResponse asked = leases.acquire(ask(name, "next", 0));
            if (asked.hasGranted()) {
                release(name, asked.getGranted());
                return true;
            }
        }
        return false;
    }

    private static Socket postAcquire(String name, String body) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoLinger(true, 0);
        socket.getOutputStream()
                .write(("POST /v1/leases/" + name + "/acquire HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                                + body.length() + "\r\n\r\n" + body)
                        .getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
        return socket;
    }

    @Test
    void anAcquireThatIsRetriedWhileOthersWaitIsAnsweredAtOnce() throws Exception {
        AcquireRequest request = ask("resent", "first", 60).toBuilder()
                .setToken("6b7c1f5e-2f0c-4f53-9d7b-0f2d8f0a9b11")
                .build();
        Granted granted = leases.acquire(request).getGranted();
        ListenableFuture<AcquireResponse> second = startWaiting("resent", "second");

        Granted again =
                server.futures().acquire(request).get(30, TimeUnit.SECONDS).getGranted();

        assertThat(again.getFence()).isEqualTo(granted.getFence());
        assertThat(second.isDone()).isFalse();
        release("resent", granted);
        assertThat(second.get(30, TimeUnit.SECONDS).hasGranted()).isTrue();
    }
}
