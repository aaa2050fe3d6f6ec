package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.RenewOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.Term;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of a term that another process with the same token has shortened. Other clients count the shorter term, so the
 * holder must count it too.
 */
class ShorterTermTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final Term SHORT = Term.ofMillis(1_000);
    private static final AcquireOptions OPTIONS =
            AcquireOptions.defaults().term(TERM).autoRenew(false);

    private final ManualClock runtime = new ManualClock();
    private final MemoryStore store = new MemoryStore(runtime);
    private final Leases ann = open("ann");
    private final Leases bob = open("bob");

    private Leases open(String holder) {
        return Holdfast.open(
                store,
                LeasesOptions.builder().holder(holder).environment(runtime).build());
    }

    @AfterEach
    void close() {
        ann.close();
        bob.close();
        runtime.close();
    }

    private void shorten(Lease lease) {
        bob.renew(lease.key(), lease.token(), RenewOptions.defaults().term(SHORT.duration()));
    }

    @Test
    void aRenewalAppliesTheShorterTerm() {
        Lease lease = ann.tryAcquire(KEY, OPTIONS).orThrow();
        shorten(lease);

        lease.renew();

        assertThat(lease.remaining()).isEqualTo(SHORT.duration());
        assertThat(lease.term()).isEqualTo(SHORT.duration());
        runtime.advance(SHORT.duration().plusMillis(2));
        assertThat(bob.tryAcquire(KEY, OPTIONS).isGranted()).isTrue();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void leasesUnderAnAnchorApplyItsShorterTerm() {
        Anchor anchor = ann.anchor("worker", TERM);
        Lease lease = ann.tryAcquire(KEY, OPTIONS.under(anchor)).orThrow();
        shorten(anchor);

        anchor.renew();

        assertThat(lease.remaining()).isEqualTo(SHORT.duration());
    }

    @Test
    void aLeaseWithAShorterTermIsRenewedInTheBackgroundInTime() {
        Lease lease = ann.tryAcquire(KEY, OPTIONS.autoRenew(true)).orThrow();
        shorten(lease);
        lease.renew();

        for (int i = 0; i < 20; i++) {
            runtime.advance(SHORT.duration());
            assertThat(lease.isHeld()).isTrue();
        }
    }
}
