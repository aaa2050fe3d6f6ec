package dev.holdfast.accord;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.internal.client.LocalLeases;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.proto.accord.AcquireRequest;
import dev.holdfast.proto.accord.AcquireResponse;
import dev.holdfast.proto.accord.DoneRequest;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.proto.accord.RenewRequest;
import dev.holdfast.proto.accord.Status;
import dev.holdfast.proto.accord.V1Grpc;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.store.Change;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Expiry, with a clock that the test controls, on a store whose clock may step by half a second as PostgreSQL's may.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccordExpiryTest {
    private static final Duration STEP = Duration.ofMillis(500);

    private final ManualClock runtime = new ManualClock();
    private final Leases leases = LocalLeases.open(
            clock -> new SteppingStore(new MemoryStore(clock)),
            LeasesOptions.builder().environment(runtime).withoutCleanUp().build());
    private final EdgeServer server =
            new EdgeServer(builder -> builder.leases(leases).with(new AccordWire()));
    private final V1Grpc.V1BlockingStub accord = server.stub(V1Grpc.V1BlockingStub.class);

    @AfterAll
    void stop() {
        server.close();
        leases.close();
    }

    private AcquireResponse acquire(String owner, String name, int ttl) {
        return accord.acquire(AcquireRequest.newBuilder()
                .setOwner(owner)
                .setName(name)
                .setTtl(ttl)
                .putMetadata("by", owner)
                .build());
    }

    private void renew(Handle handle, int ttl) {
        accord.renew(RenewRequest.newBuilder()
                .setOwner("ann")
                .setHandleId(handle.getId())
                .setTtl(ttl)
                .build());
    }

    private long listedExpiry(String name) {
        Iterable<Handle> listed = () -> accord.list(ListRequest.getDefaultInstance());
        for (Handle handle : listed) {
            if (handle.getName().equals(name)) {
                return handle.getExpTms();
            }
        }
        throw new AssertionError(name + " is not listed");
    }

    private long nowMillis() {
        return runtime.now().toEpochMilli();
    }

    @Test
    void anotherClientMayAcquireAnExpiredHandle() {
        acquire("ann", "expired", 60);
        runtime.advance(Duration.ofSeconds(70));

        AcquireResponse second = acquire("bob", "expired", 60);

        assertThat(second.getStatus()).isEqualTo(Status.OK);
        assertThat(second.getHandle().getNumAcquired()).isEqualTo(2);
        assertThat(second.getHandle().getMetadataMap()).containsEntry("by", "ann");
    }

    @Test
    void anExpiredHandleThatNoOtherClientAcquiredCanBeRenewed() {
        AcquireResponse first = acquire("ann", "renewed late", 60);
        runtime.advance(Duration.ofSeconds(70));

        renew(first.getHandle(), 60);

        assertThat(acquire("bob", "renewed late", 60).getStatus()).isEqualTo(Status.HELD);
    }

    @Test
    void acquireAndListAgreeOnTheExpiryUntilAnotherClientAcquiresTheHandle() {
        long granted = nowMillis();
        Handle handle = acquire("ann", "file", 1).getHandle();
        assertThat(handle.getExpTms()).isEqualTo(granted + 1_000);
        assertThat(listedExpiry("file")).isEqualTo(granted + 1_000);

        // The last moment of its ttl, its end, the last moment of the margin, and the moment when others may acquire
        // it.
        for (long at : new long[] {999, 1_000, 1_500, 1_501}) {
            runtime.advance(Duration.ofMillis(granted + at - nowMillis()));
            assertThat(listedExpiry("file")).as("after %d ms", at).isEqualTo(granted + 1_000);
            if (at < 1_501) {
                assertThat(acquire("bob", "file", 1).getStatus()).isEqualTo(Status.HELD);
            }
        }
        Handle next = acquire("bob", "file", 1).getHandle();
        assertThat(next.getExpTms()).isEqualTo(granted + 2_501);
        assertThat(listedExpiry("file")).isEqualTo(granted + 2_501);
    }

    @Test
    void aRenewedHandleExpiresATtlAfterItsRenewalAlsoWhenItIsDone() {
        Handle handle = acquire("ann", "kept", 10).getHandle();
        runtime.advance(Duration.ofSeconds(3));
        renew(handle, 20);
        long renewed = nowMillis();

        runtime.advance(Duration.ofSeconds(5));
        assertThat(listedExpiry("kept")).isEqualTo(renewed + 20_000);

        accord.done(DoneRequest.newBuilder()
                .setOwner("ann")
                .setHandleId(handle.getId())
                .build());
        runtime.advance(Duration.ofSeconds(50));
        assertThat(listedExpiry("kept")).isEqualTo(renewed + 20_000);
    }

    @Test
    void aReleasedHandleHasExpired() {
        Handle handle = acquire("ann", "given up", 60).getHandle();
        renew(handle, 0);

        assertThat(listedExpiry("given up")).isEqualTo(nowMillis());
    }

    /** A store in memory with a clock that may step. */
    private record SteppingStore(LeaseStore inner) implements LeaseStore {
        @Override
        public List<WriteOutcome> apply(List<Change> changes) {
            return inner.apply(changes);
        }

        @Override
        public List<Optional<StoredEntry>> read(List<Key> keys) {
            return inner.read(keys);
        }

        @Override
        public ScanPage scan(EntryScan entryScan) {
            return inner.scan(entryScan);
        }

        @Override
        public StoreTraits traits() {
            StoreTraits traits = inner.traits();
            return new StoreTraits(traits.lanes(), traits.batchLimit(), STEP);
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
