package dev.holdfast.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.ErrorInfo;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.Token;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.server.Eventually;
import dev.holdfast.server.security.NamespaceRange;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Term;
import dev.holdfast.testkit.FaultyStore;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cost of watches: reads of the store and memory. */
@Tag("slow")
class SharedScanTest {
    private static final long AMPLE = 64 << 20;

    private final SystemEnvironment runtime = new SystemEnvironment();
    private final RecordingStore recording = new RecordingStore(new MemoryStore(runtime, 1, true));
    private final FaultyStore store = FaultyStore.around(recording);
    private final Leases leases = Holdfast.open(
            store,
            LeasesOptions.builder().operationTimeout(Duration.ofMinutes(5)).build());
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        leases.close();
        runtime.close();
        thread.shutdownNow();
    }

    private void put(String namespace, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            LeaseRequest.Acquire ask = new LeaseRequest.Acquire(
                    Token.of(UUID.randomUUID()),
                    Holder.of("me"),
                    Term.of(Duration.ofDays(1)),
                    AttributePatch.NONE,
                    null);
            LeaseService.of(leases)
                    .acquire(Key.of(namespace, "key-" + i), ask, 0)
                    .get();
        }
    }

    private static WatchScope scope(String client, String... prefixes) {
        List<NamespaceRange> ranges =
                List.of(prefixes).stream().map(NamespaceRange::startingWith).toList();
        return new WatchScope(client, ranges, namespace -> true, false);
    }

    private static String reason(RecordedSink sink) throws Exception {
        com.google.rpc.Status status = StatusProto.fromThrowable(Objects.requireNonNull(sink.failure));
        assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED.value());
        return status.getDetails(0).unpack(ErrorInfo.class).getReason();
    }

    @Test
    void oneScanAtATimeServesAllPrefixes() throws Exception {
        put("aaaaaaaaaa", 300);
        put("b", 1);
        SharedScan scan = new SharedScan(leases.async(), runtime, AMPLE, AMPLE);
        List<RecordedSink> sinks = new ArrayList<>();
        for (int i = 1; i <= 10; i++) {
            RecordedSink sink = new RecordedSink(true);
            scan.watch(scope("ann", "a".repeat(i)), sink, thread);
            sinks.add(sink);
        }

        Eventually.until(() -> sinks.stream().allMatch(sink -> sink.inSync));

        assertThat(sinks).allMatch(sink -> sink.present.size() == 300);
        assertThat(recording.scanned()).containsOnly("a");
        assertThat(recording.mostScanning()).isEqualTo(1);
        assertThat(scan.table.bytesByNamespace().keySet()).containsExactly("aaaaaaaaaa");
        scan.close();
    }

    @Test
    void aRunningScanEndsAfterItsPageWhenTheLastWatchLeaves() throws Exception {
        put("a", 1_000);
        put("b", 1);
        SharedScan scan = new SharedScan(leases.async(), runtime, AMPLE, AMPLE);
        store.hold();
        StatusWatch statusWatch = scan.watch(scope("ann", "a"), new RecordedSink(true), thread);
        Eventually.until(() -> store.waiting() == 1);
        statusWatch.leave();
        store.letGo();

        RecordedSink other = new RecordedSink(true);
        scan.watch(scope("ann", "b"), other, thread);
        Eventually.until(() -> other.inSync);

        assertThat(recording.scanned())
                .startsWith("a", "b")
                .filteredOn("a"::equals)
                .hasSize(1);
        assertThat(scan.table.bytesByNamespace().keySet()).containsExactly("b");
        scan.close();
    }

    @Test
    void nothingIsKeptWithoutWatches() throws Exception {
        put("a", 100);
        SharedScan scan = new SharedScan(leases.async(), runtime, AMPLE, AMPLE);
        RecordedSink sink = new RecordedSink(true);
        StatusWatch statusWatch = scan.watch(scope("ann", "a"), sink, thread);
        Eventually.until(() -> sink.inSync);
        assertThat(scan.table.bytes()).isPositive();

        statusWatch.leave();

        assertThat(scan.table.bytes()).isZero();
    }

    @Test
    void unreadableNamespacesAreNeitherScannedNorKept() throws Exception {
        put("t1/x", 1);
        put("t2/x", 1);
        put("jobs", 1);
        put("jobs2", 1);
        SharedScan scan = new SharedScan(leases.async(), runtime, AMPLE, AMPLE);
        RecordedSink sink = new RecordedSink(true);
        List<NamespaceRange> readable = List.of(new NamespaceRange("t1/", true), new NamespaceRange("jobs", false));
        scan.watch(new WatchScope("ann", readable, namespace -> true, false), sink, thread);

        Eventually.until(() -> sink.inSync);

        assertThat(recording.scanned()).containsOnly("t1/", "jobs");
        assertThat(scan.table.bytesByNamespace().keySet()).containsExactly("jobs", "t1/x");
        assertThat(sink.present).extracting(Key::namespace).containsExactlyInAnyOrder("jobs", "t1/x");
        scan.close();
    }

    @Test
    void onlyTheWatchesOfTheLargestClientEndWhenMemoryIsShort() throws Exception {
        put("big", 500);
        put("small", 1);
        SharedScan scan = new SharedScan(leases.async(), runtime, 200 << 10, AMPLE);
        RecordedSink narrow = new RecordedSink(true);
        scan.watch(scope("bob", "small"), narrow, thread);
        Eventually.until(() -> narrow.inSync);
        RecordedSink wide = new RecordedSink(true);
        RecordedSink alsoNarrow = new RecordedSink(true);
        scan.watch(scope("ann", "small"), alsoNarrow, thread);
        scan.watch(scope("ann", ""), wide, thread);

        Eventually.until(() -> wide.failure != null);
        assertThat(reason(wide)).isEqualTo("TOO_MANY_KEYS");
        put("small/more", 1);
        scan.changed(Key.of("small/more", "key-0"));

        Eventually.until(() -> narrow.present.size() == 2 && alsoNarrow.present.size() == 2);
        assertThat(narrow.failure).isNull();
        assertThat(scan.table.bytes()).isLessThan(200 << 10);
        scan.close();
    }

    @Test
    void theWatchOfAClientThatReadsNothingEndsOnceOthersWait() throws Exception {
        put("a", 300);
        SharedScan scan = new SharedScan(leases.async(), runtime, AMPLE, 4);
        RecordedSink stuck = new RecordedSink(false);
        scan.watch(scope("ann", "a"), stuck, thread);
        Eventually.until(() -> stuck.told);
        RecordedSink reader = new RecordedSink(true);
        scan.watch(scope("bob", "a"), reader, thread);

        Eventually.until(() -> reader.inSync);

        assertThat(reader.present).hasSize(300);
        assertThat(reason(stuck)).isEqualTo("SLOW_READER");
        scan.close();
    }

    @Test
    void theWatchOfARevokedCallerEndsEvenWithoutChanges() throws Exception {
        put("a", 1);
        AtomicBoolean revoked = new AtomicBoolean();
        Predicate<String> allowed = namespace -> {
            if (revoked.get()) {
                throw Status.UNAUTHENTICATED.asRuntimeException();
            }
            return true;
        };
        SharedScan scan = new SharedScan(leases.async(), runtime, AMPLE, AMPLE);
        RecordedSink sink = new RecordedSink(true);
        scan.watch(new WatchScope("ann", List.of(NamespaceRange.startingWith("")), allowed, false), sink, thread);
        Eventually.until(() -> sink.inSync);

        revoked.set(true);

        Eventually.until(() -> sink.failure != null);
        assertThat(Status.fromThrowable(Objects.requireNonNull(sink.failure)).getCode())
                .isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(scan.table.bytes()).isZero();
    }
}
