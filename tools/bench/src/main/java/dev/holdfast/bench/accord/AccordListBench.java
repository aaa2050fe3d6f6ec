package dev.holdfast.bench.accord;

import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.bench.BenchEntries;
import dev.holdfast.bench.BenchServer;
import dev.holdfast.bench.BenchStore;
import dev.holdfast.bench.MeasuredSeries;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.proto.accord.V1Grpc;
import dev.holdfast.store.LeaseStore;
import java.util.Iterator;

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
        try (BenchStore.Postgres postgres = new BenchStore.Postgres();
                AccordReplica replica = new AccordReplica(postgres.database(), 4)) {
            replica.fill(HANDLES);
            try (BenchServer server = new BenchServer(postgres.url());
                    AccordReplicaServer wired = new AccordReplicaServer(postgres.port())) {
                fill(postgres);
                compare(replica, wired, server);
            }
        }
        System.exit(0);
    }

    private static void compare(AccordReplica replica, AccordReplicaServer wired, BenchServer server) throws Exception {
        MeasuredSeries bare = new MeasuredSeries();
        MeasuredSeries theirs = new MeasuredSeries();
        MeasuredSeries ours = new MeasuredSeries();
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
        double a = bare.median();
        double b = theirs.median();
        double c = ours.median();
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

    private static void fill(BenchStore bench) {
        try (LeaseStore store = bench.store()) {
            BenchEntries.fill(
                    store,
                    HANDLES,
                    number -> BenchEntries.done(
                            Key.of("files", AccordReplica.name(number)),
                            "worker-" + number % 10,
                            Attributes.of("rows", String.valueOf(number))));
        }
    }
}
