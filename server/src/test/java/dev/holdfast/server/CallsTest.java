package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.rpc.Code;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.AttributeValue;
import dev.holdfast.proto.v1.Call;
import dev.holdfast.proto.v1.CallAnswer;
import dev.holdfast.proto.v1.DoneRequest;
import dev.holdfast.proto.v1.Granted;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.RenewRequest;
import dev.holdfast.proto.v1.UpdateRequest;
import dev.holdfast.server.limits.ServerLimits;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import dev.holdfast.testkit.FaultyStore;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many calls over one stream. */
@Tag("slow")
class CallsTest {
    private final SystemEnvironment runtime = new SystemEnvironment();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime, 1, true));
    /** The sizes of the batches that were written. */
    private final Queue<Integer> batches = new ConcurrentLinkedQueue<>();

    private final Leases leases = Holdfast.open(
            store,
            LeasesOptions.builder()
                    .operationTimeout(java.time.Duration.ofMinutes(5))
                    .listener(new LeaseListener() {
                        @Override
                        public void onBatch(int changes, long nanos) {
                            batches.add(changes);
                        }
                    })
                    .build());
    private final List<TestCalls> opened = new ArrayList<>();
    private EdgeServer server = start(ServerLimits.DEFAULT);

    private EdgeServer start(ServerLimits limits) {
        return EdgeServer.with(
                new ServerPerimeter(PerimeterOptions.builder().limits(limits).build()),
                builder -> builder.leases(leases).drain(java.time.Duration.ofSeconds(30)));
    }

    @AfterEach
    void close() {
        store.letGo();
        opened.forEach(TestCalls::breakOff); // A closing server waits for clients that stay connected.
        server.close();
        leases.close();
        runtime.close();
    }

    private TestCalls open() {
        TestCalls calls = new TestCalls(server.stub(LeasesGrpc.LeasesStub.class));
        opened.add(calls);
        return calls;
    }

    private static Call acquire(long number, String name) {
        return TestCalls.acquire(number, "", name);
    }

    private Stream<String> metrics() {
        return server.http().get("/metrics").aggregate().join().contentUtf8().lines();
    }

    private void limitedTo(ServerLimits limits) {
        server.close();
        server = start(limits);
    }

    @Test
    void eachCallIsAnsweredUnderItsNumber() throws InterruptedException {
        TestCalls calls = open();
        calls.send(acquire(7, "a"), acquire(8, "b"), acquire(9, "a"));

        Map<Long, AcquireResponse.OutcomeCase> answers = new HashMap<>();
        for (int i = 0; i < 3; i++) {
            CallAnswer answer = calls.next();
            answers.put(answer.getNumber(), answer.getAcquire().getOutcomeCase());
        }

        assertThat(answers)
                .containsEntry(7L, AcquireResponse.OutcomeCase.GRANTED)
                .containsEntry(8L, AcquireResponse.OutcomeCase.GRANTED)
                .containsEntry(9L, AcquireResponse.OutcomeCase.HELD);
        calls.halfClose();
        assertThat(calls.end()).isEqualTo(Status.OK);
    }

    @Test
    void theResponsesToOneMessageAreOneMessage() throws InterruptedException {
        TestCalls calls = open();
        calls.send(IntStream.rangeClosed(1, 100)
                .mapToObj(i -> acquire(i, "key-" + i))
                .toArray(Call[]::new));

        for (int i = 0; i < 100; i++) {
            assertThat(calls.next().getAcquire().hasGranted()).isTrue();
        }

        assertThat(calls.messages()).isEqualTo(1);
    }

    /** Otherwise the requests of other clients would wait until all calls of a long message are submitted. */
    @Test
    void theFirstCallsOfALongMessageAreSentBeforeTheLastAreSubmitted() throws InterruptedException {
        TestCalls calls = open();
        calls.send(IntStream.rangeClosed(1, 1_500)
                .mapToObj(i -> acquire(i, "key-" + i))
                .toArray(Call[]::new));

        for (int i = 0; i < 1_500; i++) {
            assertThat(calls.next().getAcquire().hasGranted()).isTrue();
        }
        assertThat(batches.element()).isBetween(100, 600);
    }

    @Test
    void aLeaseIsAcquiredRenewedAndReleasedOverOneStream() throws InterruptedException {
        TestCalls calls = open();
        calls.send(acquire(1, "a"));
        Granted granted = calls.next().getAcquire().getGranted();
        String token = granted.getToken();

        calls.send(Call.newBuilder()
                .setNumber(2)
                .setRenew(RenewRequest.newBuilder().setName("a").setToken(token))
                .build());
        assertThat(calls.next().getRenew().getStatus().getFence()).isEqualTo(granted.getFence());
        calls.send(Call.newBuilder()
                .setNumber(3)
                .setUpdate(UpdateRequest.newBuilder().setName("a").setToken(token))
                .build());
        assertThat(calls.next().getUpdate().getStatus().getFence()).isEqualTo(granted.getFence());
        calls.send(Call.newBuilder()
                .setNumber(4)
                .setRelease(ReleaseRequest.newBuilder().setName("a").setToken(token))
                .build());
        assertThat(calls.next().getRelease().getReleased()).isTrue();
        calls.send(Call.newBuilder()
                .setNumber(5)
                .setDone(DoneRequest.newBuilder().setName("a").setToken(token))
                .build());
        assertThat(calls.next().getFailed().getCode()).as("no longer held").isEqualTo(Code.ABORTED_VALUE);
    }

    @Test
    void aBadRequestFailsWithoutEndingTheStream() throws InterruptedException {
        TestCalls calls = open();
        calls.send(
                acquire(1, ""),
                acquire(2, "a").toBuilder()
                        .setAcquire(acquire(2, "a").getAcquire().toBuilder()
                                .setWait(Duration.newBuilder().setSeconds(1)))
                        .build(),
                acquire(3, "a"));

        assertThat(calls.next().getFailed().getMessage()).startsWith("name: ");
        assertThat(calls.next().getFailed().getMessage())
                .isEqualTo("wait: PT1S (expected: none; to wait, call Acquire)");
        assertThat(calls.next().getAcquire().hasGranted()).isTrue();
    }

    @Test
    void aCallWithoutAUsableNumberEndsTheStream() {
        TestCalls unnumbered = open();
        unnumbered.send(acquire(0, "a"));
        assertThat(unnumbered.end().getDescription()).isEqualTo("number: 0 (expected: a number other than 0)");

        TestCalls empty = open();
        empty.send(Call.newBuilder().setNumber(1).build());
        assertThat(empty.end().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);

        store.hold();
        TestCalls twice = open();
        twice.send(acquire(1, "b"), acquire(1, "c"));
        assertThat(twice.end().getDescription())
                .isEqualTo("number: 1 (expected: a number that no running acquire has)");
        store.letGo();
    }

    @Test
    void aGrantForADisconnectedClientIsGivenBack() {
        store.hold();
        TestCalls calls = open();
        calls.send(acquire(1, "a"));
        Eventually.until(() -> store.calls().applies() == 1); // A check of health may wait in the store, too.
        calls.breakOff();
        Eventually.until(() -> metrics().anyMatch("holdfast_requests_active 0.0"::equals));
        store.letGo();

        Eventually.until(
                () -> leases.get(Key.of("a")).map(status -> !status.isHeld()).orElse(false));
        assertThat(leases.get(Key.of("a")).orElseThrow().entry().grants()).isEqualTo(1);
    }

    @Test
    void aCancelledGrantIsGivenBackAndTheStreamContinues() throws InterruptedException {
        store.hold();
        TestCalls calls = open();
        calls.send(acquire(1, "a"));
        Eventually.until(() -> store.calls().applies() == 1); // A check of health may wait in the store, too.
        calls.cancel(1);
        assertThat(calls.next().getFailed().getCode()).isEqualTo(Code.CANCELLED_VALUE);
        store.letGo();

        Eventually.until(
                () -> leases.get(Key.of("a")).map(status -> !status.isHeld()).orElse(false));
        calls.send(acquire(2, "a"));
        assertThat(calls.next().getAcquire().hasGranted()).isTrue();
    }

    @Test
    void aServerThatShutsDownNotifiesClientsAndAnswersRunningCalls() throws InterruptedException {
        store.hold();
        TestCalls calls = open();
        calls.send(acquire(1, "a"));
        Eventually.until(() -> store.calls().applies() == 1); // A check of health may wait in the store, too.
        Thread ending = new Thread(server::close);
        ending.start();
        calls.untilSentAway();
        calls.halfClose();
        store.letGo();

        assertThat(calls.next().getAcquire().hasGranted()).isTrue();
        assertThat(calls.end()).isEqualTo(Status.OK);
        ending.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(ending.isAlive()).isFalse();
    }

    @Test
    void eachCallCountsAsARequestOfItsOwn() throws InterruptedException {
        limitedTo(ServerLimits.builder().requests(3).build());
        store.hold();
        TestCalls calls = open();
        calls.send(acquire(1, "a"), acquire(2, "b"), acquire(3, "c"));

        CallAnswer refused = calls.next(); // The stream itself is the third request.
        assertThat(refused.getNumber()).isEqualTo(3);
        assertThat(refused.getFailed().getCode()).isEqualTo(Code.RESOURCE_EXHAUSTED_VALUE);
        store.letGo();
        assertThat(calls.next().getAcquire().hasGranted()).isTrue();
        assertThat(calls.next().getAcquire().hasGranted()).isTrue();
        calls.send(acquire(4, "c"));
        assertThat(calls.next().getAcquire().hasGranted()).isTrue();
        assertThat(server.http()
                        .get("/metrics")
                        .aggregate()
                        .join()
                        .contentUtf8()
                        .lines())
                .contains(
                        "holdfast_refused_total{limit=\"requests\"} 1.0",
                        "holdfast_requests_seconds_count{route=\"/holdfast.v1.Leases/Acquire\",status=\"OK\"} 3");
    }

    /** Sends more bytes than a single message, or any other request as a whole, may have. */
    @Test
    void aStreamMayCarryAnyNumberOfBytes() throws InterruptedException {
        TestCalls calls = open();
        AttributeValue large = AttributeValue.newBuilder()
                .setBytes(ByteString.copyFrom(new byte[50_000]))
                .build();
        for (int i = 1; i <= 100; i++) {
            Call call = acquire(i, "large-" + i);
            calls.send(call.toBuilder()
                    .setAcquire(call.getAcquire().toBuilder().putAttributes("large", large))
                    .build());
        }
        for (int i = 1; i <= 100; i++) {
            assertThat(calls.next().getAcquire().hasGranted()).isTrue();
        }
    }
}
