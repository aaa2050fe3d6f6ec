package dev.holdfast.accord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.holdfast.proto.accord.AcquireRequest;
import dev.holdfast.proto.accord.AcquireResponse;
import dev.holdfast.proto.accord.DoneRequest;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.proto.accord.RenewRequest;
import dev.holdfast.proto.accord.Status;
import dev.holdfast.proto.accord.V1Grpc;
import dev.holdfast.server.EdgeServer;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The behaviour of accord, tested with the requests of accord's clients. All tests share one server, because its
 * shutdown takes time.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AccordContract {
    private EdgeServer server;
    private int tests;
    V1Grpc.V1BlockingStub accord;

    abstract EdgeServer open();

    @BeforeAll
    void start() {
        server = open();
    }

    @BeforeEach
    void begin() {
        tests++;
        accord = server.stub(V1Grpc.V1BlockingStub.class);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /** A namespace for this test alone. */
    final String at(String namespace) {
        return "test-" + tests + "/" + namespace;
    }

    AcquireRequest.Builder ask(String owner, String name) {
        return AcquireRequest.newBuilder()
                .setOwner(owner)
                .setName(name)
                .setNamespace(at(""))
                .setTtl(60);
    }

    Handle acquire(String owner, String name) {
        return granted(ask(owner, name));
    }

    Handle granted(AcquireRequest.Builder request) {
        AcquireResponse response = accord.acquire(request.build());
        assertThat(response.getStatus()).isEqualTo(Status.OK);
        return response.getHandle();
    }

    Status status(AcquireRequest.Builder request) {
        return accord.acquire(request.build()).getStatus();
    }

    void renew(String owner, ByteString id, int ttl, Map<String, String> metadata) {
        accord.renew(RenewRequest.newBuilder()
                .setOwner(owner)
                .setHandleId(id)
                .setTtl(ttl)
                .putAllMetadata(metadata)
                .build());
    }

    void done(String owner, ByteString id, Map<String, String> metadata) {
        accord.done(DoneRequest.newBuilder()
                .setOwner(owner)
                .setHandleId(id)
                .putAllMetadata(metadata)
                .build());
    }

    List<Handle> list(ListRequest.Builder request) {
        List<Handle> handles = new ArrayList<>();
        request.getFilterBuilder().setPrefix(at(request.getFilter().getPrefix()));
        accord.list(request.build()).forEachRemaining(handles::add);
        return handles;
    }

    List<String> names(ListRequest.Filter.Builder filter) {
        return list(ListRequest.newBuilder().setFilter(filter)).stream()
                .map(Handle::getName)
                .toList();
    }

    static io.grpc.Status refusal(ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call).getStatus();
    }

    static void isInvalidHandle(ThrowingCallable call) {
        io.grpc.Status refusal = refusal(call);
        assertThat(refusal.getCode()).isEqualTo(io.grpc.Status.Code.UNKNOWN);
        assertThat(refusal.getDescription()).isEqualTo("accord: invalid handle");
    }

    static void isBadInput(ThrowingCallable call) {
        assertThat(refusal(call).getCode()).isEqualTo(io.grpc.Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void aNewNameIsAcquired() {
        long before = System.currentTimeMillis();
        Handle handle =
                granted(ask("ann", "file").setNamespace(at("a/b")).setTtl(60).putMetadata("k", "v"));
        long after = System.currentTimeMillis();

        assertThat(handle.getId().size()).isEqualTo(16);
        assertThat(handle.getName()).isEqualTo("file");
        assertThat(handle.getNamespace()).isEqualTo(at("a/b"));
        assertThat(handle.getExpTms()).isBetween(before + 60_000, after + 60_000);
        assertThat(handle.getDoneTms()).isZero();
        assertThat(handle.getNumAcquired()).isEqualTo(1);
        assertThat(handle.getMetadataMap()).containsExactly(Map.entry("k", "v"));
    }

    @Test
    void aHeldKeyIsHeldForAllIncludingItsOwner() {
        acquire("ann", "file");

        assertThat(status(ask("ann", "file"))).isEqualTo(Status.HELD);
        assertThat(status(ask("bob", "file"))).isEqualTo(Status.HELD);
    }

    @Test
    void aDoneKeyIsDoneForAll() {
        Handle handle = acquire("ann", "file");
        done("ann", handle.getId(), Map.of());

        assertThat(status(ask("ann", "file"))).isEqualTo(Status.DONE);
        assertThat(accord.acquire(ask("bob", "file").build()).hasHandle()).isFalse();
    }

    @Test
    void aReleasedKeyIsFreeAtOnceAndKeepsItsMetadata() {
        Handle first = granted(ask("ann", "file").putMetadata("k", "v"));
        renew("ann", first.getId(), 0, Map.of("l", "w"));

        Handle second = granted(ask("bob", "file").putMetadata("k", "other").putMetadata("m", "x"));

        assertThat(second.getId()).isNotEqualTo(first.getId());
        assertThat(second.getNumAcquired()).isEqualTo(2);
        assertThat(second.getMetadataMap()).isEqualTo(Map.of("k", "v", "l", "w"));
    }

    @Test
    void metadataIsMergedByRenewAndByDone() {
        Handle handle = granted(ask("ann", "file").putMetadata("k", "v"));
        renew("ann", handle.getId(), 60, Map.of("k", "2", "l", "w"));
        done("ann", handle.getId(), Map.of("m", "x"));

        Handle listed = list(ListRequest.newBuilder()).get(0);
        assertThat(listed.getMetadataMap()).isEqualTo(Map.of("k", "2", "l", "w", "m", "x"));
        assertThat(listed.getDoneTms()).isPositive();
        assertThat(listed.getId()).isEqualTo(handle.getId());
    }

    @Test
    void onlyItsOwnerMayRenewAndFinishAHandle() {
        Handle handle = acquire("ann", "file");

        isInvalidHandle(() -> renew("bob", handle.getId(), 60, Map.of()));
        isInvalidHandle(() -> done("bob", handle.getId(), Map.of()));
        isInvalidHandle(() -> renew("bob", handle.getId(), 0, Map.of()));
    }

    @Test
    void aHandleThatIsDoneIsInvalid() {
        Handle handle = acquire("ann", "file");
        done("ann", handle.getId(), Map.of());

        isInvalidHandle(() -> done("ann", handle.getId(), Map.of("m", "x")));
        isInvalidHandle(() -> renew("ann", handle.getId(), 60, Map.of()));
        assertThat(list(ListRequest.newBuilder()).get(0).getMetadataMap()).isEmpty();
    }

    @Test
    void aHandleThatAnotherClientAcquiredIsInvalid() {
        Handle first = acquire("ann", "file");
        renew("ann", first.getId(), 0, Map.of());
        acquire("bob", "file");

        isInvalidHandle(() -> renew("ann", first.getId(), 60, Map.of()));
        isInvalidHandle(() -> renew("ann", first.getId(), 0, Map.of()));
        isInvalidHandle(() -> done("ann", first.getId(), Map.of()));
    }

    @Test
    void anUnknownHandleIsInvalid() {
        ByteString unknown = ByteString.copyFrom(new byte[16]);

        isInvalidHandle(() -> renew("ann", unknown, 60, Map.of()));
        isInvalidHandle(() -> done("ann", unknown, Map.of()));
    }

    @Test
    void badInputIsReported() {
        ByteString id = acquire("ann", "file").getId();

        isBadInput(() -> acquire("", "other"));
        isBadInput(() -> acquire("ann", ""));
        isBadInput(() -> granted(ask("ann", "other").setNamespace("~anchors")));
        isBadInput(() -> granted(ask("ann", "other").setTtl(-1)));
        isBadInput(() -> renew("", id, 60, Map.of()));
        isBadInput(() -> renew("ann", ByteString.copyFromUtf8("short"), 60, Map.of()));
        isBadInput(() -> renew("ann", id, 604_801, Map.of()));
        isBadInput(() -> done("", id, Map.of()));
        isBadInput(() -> done("ann", ByteString.EMPTY, Map.of()));
    }

    @Test
    void textThatIsTooLongOrHasNulIsBadInput() {
        isBadInput(() -> acquire("ann", "n".repeat(1_025)));
        isBadInput(() -> acquire("o".repeat(257), "other"));
        isBadInput(() -> granted(ask("ann", "other").setNamespace("n".repeat(257))));
        isBadInput(() -> acquire("ann", "a\0b"));
        isBadInput(() -> granted(ask("ann", "other").setNamespace("a\0b")));
        isBadInput(() -> granted(ask("ann", "other").putMetadata("a\0b", "v")));
        isBadInput(() -> granted(ask("ann", "other").putMetadata("k", "a\0b")));
    }

    @Test
    void metadataThatIsTooLargeOrHasAnEmptyKeyIsBadInput() {
        ByteString id = acquire("ann", "file").getId();
        Map<String, String> many =
                IntStream.range(0, 129).boxed().collect(Collectors.toMap(i -> "k" + i, String::valueOf));

        isBadInput(() -> granted(ask("ann", "other").putMetadata("", "v")));
        isBadInput(() -> renew("ann", id, 60, Map.of("k".repeat(257), "v")));
        isBadInput(() -> done("ann", id, Map.of("k", "v".repeat(65_536))));
        isBadInput(() -> done("ann", id, many));
        done("ann", id, Map.of("k".repeat(256), ""));
    }

    @Test
    void aReleasedHandleCannotBeFinished() {
        Handle handle = acquire("ann", "file");
        renew("ann", handle.getId(), 0, Map.of());

        isInvalidHandle(() -> done("ann", handle.getId(), Map.of()));
        isInvalidHandle(() -> renew("ann", handle.getId(), 60, Map.of()));
    }

    @Test
    void prefixesAreNotPatterns() {
        granted(ask("ann", "r1").setNamespace(at("a%b")));
        granted(ask("ann", "r2").setNamespace(at("axb")));

        assertThat(names(ListRequest.Filter.newBuilder().setPrefix("a%"))).containsExactly("r1");
        assertThat(names(ListRequest.Filter.newBuilder().setPrefix("a_"))).isEmpty();
    }

    @Test
    void aMissingTtlIsTheDefaultOfAccordsClient() {
        long before = System.currentTimeMillis();
        Handle handle = granted(ask("ann", "file").setTtl(0));

        assertThat(handle.getExpTms()).isGreaterThanOrEqualTo(before + 600_000);
        assertThat(status(ask("bob", "file"))).isEqualTo(Status.HELD);
    }

    @Test
    void listsAreInKeyOrderWithFilterAndOffset() {
        granted(ask("ann", "r1").setNamespace(at("a/b")));
        Handle second = granted(ask("ann", "r2").setNamespace(at("a/b/c")).putMetadata("a", "1"));
        Handle third = granted(
                ask("ann", "r3").setNamespace(at("a/x")).putMetadata("a", "1").putMetadata("b", "2"));
        done("ann", second.getId(), Map.of());
        done("ann", third.getId(), Map.of());

        assertThat(names(ListRequest.Filter.newBuilder())).containsExactly("r1", "r2", "r3");
        assertThat(names(ListRequest.Filter.newBuilder().setStatus(ListRequest.Filter.Status.DONE)))
                .containsExactly("r2", "r3");
        assertThat(names(ListRequest.Filter.newBuilder().setStatus(ListRequest.Filter.Status.PENDING)))
                .containsExactly("r1");
        assertThat(names(ListRequest.Filter.newBuilder().setPrefix("a/b"))).containsExactly("r1", "r2");
        assertThat(names(ListRequest.Filter.newBuilder().setPrefix("a/x/y"))).isEmpty();
        assertThat(names(ListRequest.Filter.newBuilder().putMetadata("a", "1"))).containsExactly("r2", "r3");
        assertThat(names(ListRequest.Filter.newBuilder().putMetadata("a", "1").putMetadata("b", "2")))
                .containsExactly("r3");
        assertThat(list(ListRequest.newBuilder().setOffset(2)))
                .extracting(Handle::getName)
                .containsExactly("r3");
        assertThat(list(ListRequest.newBuilder().setOffset(-1))).isEmpty();
    }

    private void acquireTogether(int from, int count) throws Exception {
        V1Grpc.V1FutureStub many = server.stub(V1Grpc.V1FutureStub.class);
        List<Future<AcquireResponse>> asked = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            asked.add(many.acquire(ask("ann", "file-" + i).build()));
        }
        for (Future<AcquireResponse> response : asked) {
            response.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void longListsAreComplete() throws Exception {
        for (int from = 1_000; from < 1_800; from += 50) {
            acquireTogether(from, 50);
        }

        assertThat(list(ListRequest.newBuilder()))
                .extracting(Handle::getName)
                .containsExactlyElementsOf(
                        IntStream.range(1_000, 1_800).mapToObj(i -> "file-" + i).toList());
        assertThat(list(ListRequest.newBuilder().setOffset(700))).hasSize(100);
    }
}
