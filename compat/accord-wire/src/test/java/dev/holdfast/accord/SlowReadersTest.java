package dev.holdfast.accord;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.Holder;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.Token;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.proto.accord.V1Grpc;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Term;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lists to clients that do not read. */
@Tag("slow")
class SlowReadersTest {
    /** Far more than client and server buffer for one stream. */
    private static final int LARGE_HANDLES = 600;

    private static final String LARGE = "x".repeat(6_000);

    private final List<ClientFactory> factories = new ArrayList<>();
    private final Leases leases =
            Holdfast.open("memory:", LeasesOptions.builder().withoutCleanUp().build());
    private @Nullable EdgeServer server;

    @AfterEach
    @SuppressWarnings("FutureReturnValueIgnored") // Waiting for the end of their threads would take long.
    void stop() {
        factories.forEach(ClientFactory::closeAsync);
        if (server != null) {
            server.close();
        }
        leases.close();
    }

    private EdgeServer serve(Duration patience) throws Exception {
        for (int i = 0; i < LARGE_HANDLES; i++) {
            acquire("large", "file-" + i, LARGE);
        }
        acquire("small", "file", "");
        EdgeServer started = new EdgeServer(
                builder -> builder.leases(leases).drain(Duration.ofSeconds(1)).with(new AccordWire(patience)));
        server = started;
        return started;
    }

    private void acquire(String namespace, String name, String metadata) throws Exception {
        LeaseRequest.Acquire ask = new LeaseRequest.Acquire(
                Token.of(LeaseService.of(leases).environment().randomId()),
                Holder.of("ann"),
                Term.of(Duration.ofMinutes(10)),
                HandleMessages.patch(Map.of("m", metadata)),
                null);
        LeaseService.of(leases).acquire(Key.of(namespace, name), ask, 0).get(60, TimeUnit.SECONDS);
    }

    private static ListRequest list(String prefix) {
        return ListRequest.newBuilder()
                .setFilter(ListRequest.Filter.newBuilder().setPrefix(prefix))
                .build();
    }

    /** A client on a connection of its own: a connection with unread streams is full for all of them. */
    private StuckReader stuck(EdgeServer started) {
        ClientFactory factory = ClientFactory.builder().workerGroup(1).build();
        factories.add(factory);
        V1Grpc.V1Stub accord = GrpcClients.builder("gproto+" + started.url() + "/")
                .factory(factory)
                .responseTimeoutMillis(0)
                .maxResponseLength(0)
                .build(V1Grpc.V1Stub.class);
        StuckReader reader = new StuckReader();
        accord.list(list("large"), reader);
        return reader;
    }

    @Test
    void aListIsServedWhileMoreReadersAreStuckThanHaveATurn() throws Exception {
        EdgeServer started = serve(Duration.ofMinutes(5));
        List<StuckReader> stuck = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            stuck.add(stuck(started));
        }
        for (StuckReader reader : stuck) {
            reader.first.get(60, TimeUnit.SECONDS);
        }

        Iterator<Handle> small = started.stub(V1Grpc.V1BlockingStub.class).list(list("small"));

        assertThat(small.next().getName()).isEqualTo("file");
        assertThat(small.hasNext()).isFalse();
        assertThat(stuck).noneMatch(reader -> reader.end.isDone());
        stuck.forEach(StuckReader::goOn);
        for (StuckReader reader : stuck) {
            assertThat(reader.end.get(120, TimeUnit.SECONDS)).isEqualTo(Status.OK);
            assertThat(reader.count).hasValue(LARGE_HANDLES);
        }
    }

    @Test
    void aClientThatReadsNothingForTooLongIsCutOff() throws Exception {
        EdgeServer started = serve(Duration.ofMillis(1));
        Status.Code end = Status.Code.OK;
        // Repeated until the client was stuck for longer than the server needs to notice it, however slow the machine
        // is.
        for (long stuckMillis = 300; end == Status.Code.OK && stuckMillis < 60_000; stuckMillis *= 3) {
            StuckReader reader = stuck(started);
            reader.first.get(60, TimeUnit.SECONDS);
            Thread.sleep(stuckMillis);
            reader.goOn();
            end = reader.end.get(60, TimeUnit.SECONDS).getCode();
        }

        assertThat(end).isEqualTo(Status.Code.ABORTED);
    }

    /** A client that reads one handle, and no more until the test allows it. */
    private static final class StuckReader implements ClientResponseObserver<ListRequest, Handle> {
        final CompletableFuture<Handle> first = new CompletableFuture<>();
        final CompletableFuture<Status> end = new CompletableFuture<>();
        final AtomicInteger count = new AtomicInteger();
        private volatile @Nullable ClientCallStreamObserver<ListRequest> call;

        @Override
        public void beforeStart(ClientCallStreamObserver<ListRequest> request) {
            call = request;
            request.disableAutoRequestWithInitial(1);
        }

        void goOn() {
            ClientCallStreamObserver<ListRequest> started = call;
            assertThat(started).isNotNull();
            started.request(Integer.MAX_VALUE);
        }

        @Override
        public void onNext(Handle handle) {
            count.incrementAndGet();
            first.complete(handle);
        }

        @Override
        public void onError(Throwable error) {
            first.completeExceptionally(error);
            end.complete(Status.fromThrowable(error));
        }

        @Override
        public void onCompleted() {
            end.complete(Status.OK);
        }
    }
}
