package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.ClientFactory;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AttributeValue;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.LeaseStatus;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.RenewRequest;
import dev.holdfast.proto.v1.State;
import dev.holdfast.proto.v1.WatchRequest;
import dev.holdfast.proto.v1.WatchResponse;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watches over gRPC: all statuses, then the latest status of each changed key. Two servers share a file. */
@Tag("slow")
class WatchTest {
    @TempDir
    Path folder;

    private final ClientFactory connections = ClientFactory.builder().build();
    private LoopbackServer server;
    private LoopbackServer other;
    private LeasesGrpc.LeasesBlockingStub leases;

    @BeforeEach
    void start() {
        String url = "sqlite:" + folder.resolve("leases.db");
        server = new LoopbackServer(builder -> builder.store(url));
        other = new LoopbackServer(builder -> builder.store(url));
        leases = server.blocking();
    }

    @AfterEach
    void stop() {
        server.close();
        other.close();
        connections.close();
    }

    private static String acquire(LeasesGrpc.LeasesBlockingStub at, String name) {
        return acquire(at, name, "");
    }

    private static String acquire(LeasesGrpc.LeasesBlockingStub at, String name, String ballast) {
        return at.acquire(AcquireRequest.newBuilder()
                        .setNamespace("jobs")
                        .setName(name)
                        .setHolder("me")
                        .putAttributes(
                                "ballast",
                                AttributeValue.newBuilder().setText(ballast).build())
                        .build())
                .getGranted()
                .getToken();
    }

    private static void release(LeasesGrpc.LeasesBlockingStub at, String name, String token) {
        at.release(ReleaseRequest.newBuilder()
                .setNamespace("jobs")
                .setName(name)
                .setToken(token)
                .build());
    }

    @Test
    void aWatchBeginsWithAllStatuses() {
        acquire(leases, "a");
        release(leases, "b", acquire(leases, "b"));

        Watched watched = new Watched(server, "jobs");

        Eventually.until(() -> watched.inSync);
        assertThat(watched.states()).isEqualTo(Map.of("a", State.STATE_HELD, "b", State.STATE_FREE));
        assertThat(watched.latest("a").getGrant().getToken()).isEmpty();
    }

    @Test
    void changesThroughEveryServerAreSent() {
        Watched watched = new Watched(server, "jobs");
        Eventually.until(() -> watched.inSync);

        String here = acquire(leases, "here");
        String there = acquire(other.blocking(), "there");
        Eventually.until(() -> watched.states().equals(Map.of("here", State.STATE_HELD, "there", State.STATE_HELD)));

        release(leases, "here", here);
        release(other.blocking(), "there", there);
        Eventually.until(() -> watched.states().equals(Map.of("here", State.STATE_FREE, "there", State.STATE_FREE)));
    }

    @Test
    void renewalsAreNotSent() {
        String token = acquire(leases, "a");
        Watched watched = new Watched(server, "jobs");
        Eventually.until(() -> watched.inSync);
        int told = watched.told.get();

        for (int i = 0; i < 5; i++) {
            leases.renew(RenewRequest.newBuilder()
                    .setNamespace("jobs")
                    .setName("a")
                    .setToken(token)
                    .build());
        }
        acquire(leases, "b");
        Eventually.until(() -> watched.latest.containsKey("b"));

        assertThat(watched.told.get()).isEqualTo(told + 1);
    }

    @Test
    void otherNamespacesAreNotSent() {
        leases.acquire(AcquireRequest.newBuilder()
                .setNamespace("other")
                .setName("x")
                .setHolder("me")
                .build());
        acquire(leases, "a");

        Watched watched = new Watched(server, "job");
        Eventually.until(() -> watched.inSync);

        assertThat(watched.states().keySet()).containsExactly("a");
    }

    @Test
    void aSlowReaderGetsTheLatestStatusOnly() {
        Watched watched = new Watched(server, "jobs");
        Eventually.until(() -> watched.inSync);
        watched.pause();
        String name = "busy";
        // More than all buffers between the two ends hold.
        String ballast = "x".repeat(60_000);
        for (int i = 0; i < 100; i++) {
            release(leases, name, acquire(leases, name, ballast + i));
        }
        String last = acquire(leases, name);
        long fence = leases.get(GetRequest.newBuilder()
                        .setNamespace("jobs")
                        .setName(name)
                        .build())
                .getStatus()
                .getFence();

        watched.resume();

        Eventually.until(() ->
                watched.latest.containsKey(name) && watched.latest.get(name).getFence() == fence);
        assertThat(watched.latest(name).getState()).isEqualTo(State.STATE_HELD);
        assertThat(watched.told.get()).as("of 201 changes").isLessThan(100);
        release(leases, name, last);
    }

    @Test
    void aServerThatShutsDownEndsItsWatches() {
        Watched watched = new Watched(server, "jobs");
        Eventually.until(() -> watched.inSync);

        server.close();

        Eventually.until(() -> watched.error.get() != null);
        assertThat(Status.fromThrowable(watched.error.get()).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }

    /** A client that watches. */
    private final class Watched implements ClientResponseObserver<WatchRequest, WatchResponse> {
        final Map<String, LeaseStatus> latest = new ConcurrentHashMap<>();
        final AtomicReference<Throwable> error = new AtomicReference<>();
        volatile boolean inSync;
        final AtomicInteger told = new AtomicInteger();
        private volatile boolean paused;
        private @Nullable ClientCallStreamObserver<WatchRequest> stream;

        Watched(LoopbackServer at, String prefix) {
            at.async(connections)
                    .watch(WatchRequest.newBuilder().setPrefix(prefix).build(), this);
        }

        LeaseStatus latest(String name) {
            return Objects.requireNonNull(latest.get(name));
        }

        Map<String, State> states() {
            Map<String, State> states = new HashMap<>();
            latest.forEach((name, status) -> states.put(name, status.getState()));
            return states;
        }

        void pause() {
            paused = true;
        }

        void resume() {
            paused = false;
            Objects.requireNonNull(stream).request(1);
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> requests) {
            stream = requests;
            requests.disableAutoRequestWithInitial(1);
        }

        @Override
        public void onNext(WatchResponse news) {
            news.getStatusesList().forEach(status -> latest.put(status.getName(), status));
            told.addAndGet(news.getStatusesCount());
            inSync |= news.getInSync();
            if (!paused) {
                Objects.requireNonNull(stream).request(1);
            }
        }

        @Override
        public void onError(Throwable reason) {
            error.set(reason);
        }

        @Override
        public void onCompleted() {
            error.set(new AssertionError("ended without a reason"));
        }
    }
}
