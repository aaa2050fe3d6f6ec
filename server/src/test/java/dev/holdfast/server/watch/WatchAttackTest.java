package dev.holdfast.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.ClientFactory;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.Token;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.WatchRequest;
import dev.holdfast.proto.v1.WatchResponse;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.server.Eventually;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Term;
import dev.holdfast.support.Futures;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** One client opens a hundred watches of distinct prefixes, each of which matches all keys of the store. */
@Tag("slow")
@Isolated("its clients want an undisturbed server")
class WatchAttackTest {
    private static final int KEYS = 20_000;
    private static final int WATCHES = 100;
    private static final String NAMESPACE = "n".repeat(WATCHES);

    /** The heap of the attacked server; one copy of the statuses for each prefix needs about ten times as much. */
    private static final String HEAP = "160m";

    private static final long USED_BYTES_AT_MOST = 128L << 20;

    @TempDir
    Path folder;

    private final ClientFactory readers = ClientFactory.builder().build();
    /** Separate connections: unread data would block the clients that read. */
    private final ClientFactory nonReaders = ClientFactory.builder().build();

    @AfterEach
    void closeConnections() {
        readers.close();
        nonReaders.close();
    }

    @Test
    void aHundredWatchesOfDistinctPrefixesCostOneScanAndOneCopyOfTheStatuses(TestReporter reporter) throws Exception {
        String store = "sqlite:" + folder.resolve("leases.db");
        fill(store);
        try (SmallServer attacked = new SmallServer(store, HEAP);
                SmallServer other = new SmallServer(store, HEAP)) {
            Ordinary client = new Ordinary(attacked, "here");
            Ordinary elsewhere = new Ordinary(other, "elsewhere");
            client.lockAndUnlock();
            elsewhere.lockAndUnlock();
            List<Attacker> attack = new ArrayList<>();
            for (int i = 0; i < WATCHES; i++) {
                // Most of them read nothing after the first message.
                attack.add(new Attacker(attacked, NAMESPACE.substring(0, i + 1), i % 10 == 0));
            }

            AtomicLong used = new AtomicLong();
            Eventually.until(() -> {
                client.lockAndUnlock();
                elsewhere.lockAndUnlock();
                if (client.rounds() % 10 == 0) {
                    used.accumulateAndGet(attacked.usedBytes(), Math::max);
                }
                return attack.stream().allMatch(Attacker::isServed);
            });
            used.accumulateAndGet(attacked.usedBytes(), Math::max);
            assertThat(used.get()).isLessThan(USED_BYTES_AT_MOST);
            attack.forEach(Attacker::leave);

            long begun = System.nanoTime();
            Attacker visitor = new Attacker(attacked, NAMESPACE, true);
            Eventually.until(visitor::isServed);
            client.lockAndUnlock();
            assertThat(attacked.http()
                            .get("/health/ready")
                            .aggregate()
                            .join()
                            .status()
                            .code())
                    .isEqualTo(200);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
            elsewhere.lockAndUnlock();
            visitor.leave();
            reporter.publishEntry("used MB", String.valueOf(used.get() >> 20));
            reporter.publishEntry("ordinary client", client.figures());
            reporter.publishEntry("at the other server", elsewhere.figures());
        }
    }

    private static void fill(String store) throws InterruptedException {
        try (Leases leases = Holdfast.open(store, LeasesOptions.defaults())) {
            Semaphore places = new Semaphore(5_000);
            for (int i = 0; i < KEYS; i++) {
                places.acquire();
                LeaseRequest.Acquire ask = new LeaseRequest.Acquire(
                        Token.of(new UUID(1, i)),
                        Holder.of("holder-" + i),
                        Term.of(Duration.ofDays(1)),
                        AttributePatch.NONE,
                        null);
                Futures.whenDone(
                        LeaseService.of(leases).acquire(Key.of(NAMESPACE, "key-" + i), ask, 0),
                        (outcome, error) -> places.release());
            }
            places.acquire(5_000);
        }
    }

    /** A client that acquires and releases all the time. */
    private static final class Ordinary {
        private final LeasesGrpc.LeasesBlockingStub leases;
        private final String name;
        private final List<Long> millis = new ArrayList<>();

        Ordinary(SmallServer server, String name) {
            this.leases = server.leases();
            this.name = name;
        }

        void lockAndUnlock() {
            long begun = System.nanoTime();
            String token = leases.acquire(AcquireRequest.newBuilder()
                            .setNamespace("ordinary")
                            .setName(name)
                            .setHolder("me")
                            .build())
                    .getGranted()
                    .getToken();
            assertThat(leases.release(ReleaseRequest.newBuilder()
                                    .setNamespace("ordinary")
                                    .setName(name)
                                    .setToken(token)
                                    .build())
                            .getReleased())
                    .isTrue();
            millis.add((System.nanoTime() - begun) / 1_000_000);
        }

        int rounds() {
            return millis.size();
        }

        String figures() {
            List<Long> sorted = new ArrayList<>(millis);
            Collections.sort(sorted);
            return sorted.size() + " times, median " + sorted.get(sorted.size() / 2) + " ms, longest "
                    + sorted.get(sorted.size() - 1) + " ms";
        }
    }

    /** One watch. */
    private final class Attacker implements ClientResponseObserver<WatchRequest, WatchResponse> {
        private final boolean reads;
        private @Nullable ClientCallStreamObserver<WatchRequest> stream;
        private final AtomicInteger statuses = new AtomicInteger();
        private volatile boolean inSync;
        private volatile @Nullable Throwable error;
        private volatile boolean left;

        Attacker(SmallServer server, String prefix, boolean reads) {
            this.reads = reads;
            server.stub(LeasesGrpc.LeasesStub.class, reads ? readers : nonReaders)
                    .watch(WatchRequest.newBuilder().setPrefix(prefix).build(), this);
        }

        /** Whether all statuses were received. The server may end the watch of a client that does not read. */
        boolean isServed() {
            if (reads) {
                assertThat(error).isNull();
            }
            return !reads || (inSync && statuses.get() == KEYS);
        }

        void leave() {
            left = true;
            Objects.requireNonNull(stream).cancel("enough", null);
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> requests) {
            stream = requests;
            requests.disableAutoRequestWithInitial(1);
        }

        @Override
        public void onNext(WatchResponse news) {
            statuses.addAndGet(news.getStatusesCount());
            inSync |= news.getInSync();
            if (reads) {
                Objects.requireNonNull(stream).request(1);
            }
        }

        @Override
        public void onError(Throwable reason) {
            if (!left) {
                error = reason;
            }
        }

        @Override
        public void onCompleted() {
            error = new AssertionError("ended without a reason");
        }
    }
}
