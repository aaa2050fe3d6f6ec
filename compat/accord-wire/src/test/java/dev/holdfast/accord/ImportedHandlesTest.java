package dev.holdfast.accord;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.Token;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.importing.ImportedRow.LastGrant;
import dev.holdfast.importing.ImportingLeases;
import dev.holdfast.proto.accord.AcquireRequest;
import dev.holdfast.proto.accord.DoneRequest;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.proto.accord.RenewRequest;
import dev.holdfast.proto.accord.Status;
import dev.holdfast.proto.accord.V1Grpc;
import dev.holdfast.server.EdgeServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server on a store into which accord's rows were imported, tested with the requests of accord's clients. */
class ImportedHandlesTest {
    private static final Token TOKEN = Token.of(UUID.randomUUID());
    private static final ByteString ID = HandleKeys.id(TOKEN);
    private static final Instant EXPIRED = Instant.parse("2024-05-06T07:08:09.123Z");

    @TempDir
    private Path folder;

    private static ImportedRow row(String name, Token token, Duration left, @Nullable Instant doneAt) {
        return new ImportedRow(
                Key.of("files", name),
                name,
                Fence.NONE,
                5,
                new LastGrant(token, Holder.of("ann"), left, EXPIRED),
                Attributes.of("size", "17"),
                Instant.EPOCH,
                doneAt);
    }

    @Test
    void aHandleOfAccordRemainsValidAfterTheImport() {
        String store = "sqlite:" + folder.resolve("leases.db");
        try (Leases leases = Holdfast.open(store, LeasesOptions.defaults())) {
            ((ImportingLeases) leases)
                    .importTarget()
                    .write(List.of(
                            row("live", TOKEN, Duration.ofMinutes(5), null),
                            row("done", Token.of(UUID.randomUUID()), Duration.ZERO, EXPIRED)));
        }
        try (EdgeServer server = new EdgeServer(builder -> builder.store(store).with(new AccordWire()))) {
            V1Grpc.V1BlockingStub accord = server.stub(V1Grpc.V1BlockingStub.class);
            assertThat(status(accord, "done")).isEqualTo(Status.DONE);
            assertThat(status(accord, "live")).isEqualTo(Status.HELD);

            AccordContract.isInvalidHandle(() -> accord.renew(RenewRequest.newBuilder()
                    .setOwner("bob")
                    .setHandleId(ID)
                    .setTtl(60)
                    .build()));
            accord.renew(RenewRequest.newBuilder()
                    .setOwner("ann")
                    .setHandleId(ID)
                    .setTtl(60)
                    .putMetadata("step", "2")
                    .build());
            accord.done(DoneRequest.newBuilder().setOwner("ann").setHandleId(ID).build());
            assertThat(status(accord, "live")).isEqualTo(Status.DONE);

            List<Handle> handles = new ArrayList<>();
            accord.list(ListRequest.getDefaultInstance()).forEachRemaining(handles::add);
            assertThat(handles).hasSize(2).allMatch(handle -> handle.getNumAcquired() == 5);
            Handle done = handles.stream()
                    .filter(handle -> handle.getName().equals("done"))
                    .findFirst()
                    .orElseThrow();
            assertThat(done.getDoneTms()).isEqualTo(EXPIRED.toEpochMilli());
            // The shortest term is a millisecond.
            assertThat(done.getExpTms()).isBetween(EXPIRED.toEpochMilli(), EXPIRED.toEpochMilli() + 1);
            assertThat(done.getMetadataMap()).isEqualTo(Map.of("size", "17"));
        }
    }

    private static Status status(V1Grpc.V1BlockingStub accord, String name) {
        return accord.acquire(AcquireRequest.newBuilder()
                        .setOwner("bob")
                        .setNamespace("files")
                        .setName(name)
                        .setTtl(60)
                        .build())
                .getStatus();
    }
}
