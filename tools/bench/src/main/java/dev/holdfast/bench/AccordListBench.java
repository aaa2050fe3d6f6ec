package dev.holdfast.bench;

import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.proto.accord.V1Grpc;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A benchmark of listing all done names, which accord's client requests when it connects, through a Holdfast server in
 * its own process. It is compared with the list of {@link AccordReplica}, on the same PostgreSQL in the same run. The
 * replica runs in two forms: its statement alone, with rows read and converted to handles in this process; and behind
 * accord's protocol in its own process.
 *
 * <p>All are measured in turn, several times, and the medians are compared. CPU time is reported too: on a machine with
 * other load it is more accurate than elapsed time.
 */
public final class AccordListBench {
    private static final int HANDLES = Integer.getInteger("handles", 100_000);
    private static final int ROUNDS = Integer.getInteger("rounds", 9);
    private static final int WARM_UP = Integer.getInteger("warmup", 5);

    private AccordListBench() {}

    public static void main(String[] arguments) throws Exception {
        try (EmbeddedPostgres postgres = BenchStore.postgres();
                AccordReplica replica = new AccordReplica(postgres, 4)) {
            String url = "postgresql://postgres:postgres@localhost:" + postgres.getPort() + "/postgres";
            replica.fill(HANDLES);
            try (BenchServer server = BenchServer.on(url);
                    AccordReplicaServer wired = AccordReplicaServer.start(postgres.getPort())) {
                fill(url);
                compare(replica, wired, server);
            }
        }
        System.exit(0);
    }

    private static void compare(AccordReplica replica, AccordReplicaServer wired, BenchServer server) throws Exception {
        List<Double> bare = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        List<Double> ours = new ArrayList<>();
        System.out.printf(
                "%8s %20s %24s %20s%n", "round", "replica's statement", "replica behind a server", "holdfast");
        for (int round = 1 - WARM_UP; round <= ROUNDS; round++) {
            double a = micros(() -> replica.list(handle -> {}));
            double b = micros(() -> list(wired.port()));
            double c = micros(() -> list(server.port()));
            System.out.printf("%8d %17.2f us %21.2f us %17.2f us%n", round, a, b, c);
            if (round == 0) {
                wired.cpuMicros();
                server.cpuMicros();
            }
            if (round > 0) {
                bare.add(a);
                theirs.add(b);
                ours.add(c);
            }
        }
        double a = median(bare);
        double b = median(theirs);
        double c = median(ours);
        System.out.printf("%8s %17.2f us %21.2f us %17.2f us  per handle%n", "median", a, b, c);
        double handles = (double) HANDLES * ROUNDS;
        System.out.printf(
                "processor time of the servers: replica %.2f us, holdfast %.2f us per handle%n",
                wired.cpuMicros() / handles, server.cpuMicros() / handles);
        System.out.printf("%nholdfast : replica behind a server = %.2f%n", c / b);
        System.out.printf("holdfast : replica's statement alone = %.2f%n", c / a);
    }

    private interface Listing {
        int run() throws Exception;
    }

    private static double micros(Listing listing) throws Exception {
        long begin = System.nanoTime();
        int count = listing.run();
        long nanos = System.nanoTime() - begin;
        if (count != HANDLES) {
            throw new IllegalStateException(count + " handles (expected: " + HANDLES + ")");
        }
        return nanos / 1e3 / HANDLES;
    }

    private static int list(int port) {
        V1Grpc.V1BlockingStub accord = GrpcClients.builder("gproto+http://127.0.0.1:" + port + "/")
                .responseTimeoutMillis(0)
                .maxResponseLength(0)
                .build(V1Grpc.V1BlockingStub.class);
        Iterator<Handle> handles = accord.list(ListRequest.newBuilder()
                .setFilter(ListRequest.Filter.newBuilder().setStatus(ListRequest.Filter.Status.DONE))
                .build());
        int count = 0;
        while (handles.hasNext()) {
            handles.next();
            count++;
        }
        return count;
    }

    private static void fill(String url) throws Exception {
        try (LeaseStore store = BenchStore.at(url)) {
            for (int from = 0; from < HANDLES; from += 500) {
                List<Change> changes = new ArrayList<>();
                for (int i = from; i < Math.min(HANDLES, from + 500); i++) {
                    changes.add(Change.insert(done(i)));
                }
                store.apply(changes);
            }
        }
    }

    private static Entry done(int number) {
        Version version = Version.of(UUID.randomUUID());
        Instant now = Instant.now();
        Grant grant = new Grant(
                Token.of(UUID.randomUUID()),
                Holder.of("worker-" + number % 10),
                Term.of(Duration.ofMinutes(10)),
                Beat.of(version),
                now,
                null);
        Attributes attributes = Attributes.of(Map.of("rows", AttributeValue.of(String.valueOf(number))));
        Key key = Key.of("files", AccordReplica.name(number));
        return new Entry(key, version, LeaseState.DONE, Fence.of(number + 1), 1, grant, attributes, now, now);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
