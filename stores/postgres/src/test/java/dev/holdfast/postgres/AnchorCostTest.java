package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holding many leases costs as much as holding one. */
@Tag("slow")
class AnchorCostTest {
    private static final int LEASES = 100_000;
    private static final int AT_ONCE = 5_000;
    private static final int HEARTBEATS = 5;

    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger renewed = new AtomicInteger();

    @Test
    void aHundredThousandLeasesOfOneAnchorCostOneWritePerHeartbeat() throws Exception {
        LeasesOptions options = LeasesOptions.builder().listener(counting()).build();
        try (Leases leases = Holdfast.open(Server.shared().url(Server.freshSchema()), options);
                Anchor anchor = leases.anchor("worker", Duration.ofSeconds(3))) {
            for (int from = 0; from < LEASES; from += AT_ONCE) {
                acquire(leases, anchor, from);
            }

            int before = renewed.get();
            Eventually.holds(() -> renewed.get() > before);
            int writtenBefore = written.get();
            int renewedBefore = renewed.get();
            Eventually.holds(() -> renewed.get() - renewedBefore >= HEARTBEATS);
            // The next heartbeat may be on its way, or its batch may be counted before its renewal.
            assertThat(written.get() - writtenBefore).isBetween(HEARTBEATS - 1, HEARTBEATS + 1);
            assertThat(anchor.isHeld()).isTrue();
        }
    }

    private LeaseListener counting() {
        return new LeaseListener() {
            @Override
            public void onBatch(int changes, long nanos) {
                written.addAndGet(changes);
            }

            @Override
            public void onRenewed(Key key, long leftNanos) {
                renewed.incrementAndGet();
            }
        };
    }

    private static void acquire(Leases leases, Anchor anchor, int from) {
        AcquireOptions under = AcquireOptions.defaults().under(anchor);
        List<CompletableFuture<AcquireResult>> results = IntStream.range(from, from + AT_ONCE)
                .mapToObj(i -> leases.async().tryAcquire(Key.of("units", "unit-" + i), under))
                .map(stage -> stage.toCompletableFuture())
                .toList();
        assertThat(results).allMatch(result -> result.join().granted().isPresent());
    }
}
