package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of the one timer that renews all leases of a client, each at its own interval. */
class RenewalOrderTest {
    private static final AcquireOptions SLOW = AcquireOptions.defaults().term(Duration.ofMinutes(1));
    private static final AcquireOptions FAST = AcquireOptions.defaults().term(Duration.ofSeconds(3));
    private static final Duration MOMENT = Duration.ofMillis(500);

    private final ManualClock runtime = new ManualClock();
    private long renewedNanos;

    @Test
    void theRenewalOfALongLeaseDoesNotDelayAShortOne() {
        try (Leases leases = Holdfast.open(
                new MemoryStore(runtime),
                LeasesOptions.builder().environment(runtime).listener(noting()).build())) {
            Lease slow = leases.tryAcquire(Key.of("slow"), SLOW).orThrow();
            runtime.advance(Duration.ofSeconds(30));
            // All intervals between renewals are the same.
            Duration interval = Duration.ofNanos(renewedNanos);
            Duration next = interval.multipliedBy(2).minusNanos(runtime.nanos());
            runtime.advance(next.minus(MOMENT));

            Lease fast = leases.tryAcquire(Key.of("fast"), FAST).orThrow();
            runtime.advance(Duration.ofSeconds(10));

            assertThat(fast.isHeld()).isTrue();
            assertThat(slow.isHeld()).isTrue();
        } finally {
            runtime.close();
        }
    }

    private LeaseListener noting() {
        return new LeaseListener() {
            @Override
            public void onRenewed(Key key, long leftNanos) {
                renewedNanos = runtime.nanos();
            }
        };
    }
}
