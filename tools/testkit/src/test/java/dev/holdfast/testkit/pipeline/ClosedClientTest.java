package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.environment.CallerThreadEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests that closing works in any order, and frees everything even if a part of it fails. */
class ClosedClientTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().term(TERM);

    private final ManualClock runtime = new ManualClock();
    private final MemoryStore store = new MemoryStore(runtime);

    private Leases open(LeaseStore on) {
        return Holdfast.open(
                on, LeasesOptions.builder().holder("ann").environment(runtime).build());
    }

    @Test
    void aLostLeaseMayBeClosedAfterItsClient() {
        Leases leases = open(store);
        Lease lease = leases.tryAcquire(KEY, OPTIONS.autoRenew(false)).orThrow();
        runtime.advance(TERM);
        assertThat(lease.isHeld()).isFalse();

        leases.close();

        lease.close();
        lease.close();
    }

    @Test
    void aLeaseUnderAnAnchorMayBeClosedAfterItsClient() {
        Leases leases = open(store);
        Anchor anchor = leases.anchor("worker", TERM);
        Lease lease = leases.tryAcquire(KEY, OPTIONS.under(anchor)).orThrow();

        leases.close();

        lease.close();
        anchor.close();
    }

    @Test
    void theStoreIsClosedAlthoughLeasesCouldNotBeReleased() {
        ManualClock impatient = new ManualClock(0, Duration.ofMillis(50));
        FaultyStore held = FaultyStore.around(new MemoryStore(new CallerThreadEnvironment(), 1, true));
        AtomicBoolean closed = new AtomicBoolean();
        LeaseStore noting = new ForwardingStore(held) {
            @Override
            public void close() {
                closed.set(true);
                super.close();
            }
        };
        Leases leases = Holdfast.open(
                noting,
                LeasesOptions.builder().holder("ann").environment(impatient).build());
        leases.tryAcquire(KEY, OPTIONS).orThrow();
        held.hold();

        assertThatIllegalStateException().isThrownBy(leases::close).withMessageContaining("waited");

        assertThat(closed).isTrue();
        held.letGo();
    }
}
