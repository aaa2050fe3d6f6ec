package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of the clean-up of entries stored as held, but expired or orphaned: they are removed a week after their end.
 */
class CleanUpOfTheDeadTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final Duration TERM = Duration.ofHours(1);
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().term(TERM);
    private static final CleanUpOptions IDLE = CleanUpOptions.idle(100);
    private static final Duration WEEK = Duration.ofDays(7);

    private final ManualClock runtime = new ManualClock();
    private final MemoryStore store = new MemoryStore(runtime, 0, false);
    private final Leases leases = Holdfast.open(store, options("ann").build());
    /** A client that renews nothing: to the other clients it looks dead. */
    private final Leases ghost =
            Holdfast.open(store, options("ghost").withoutThreads().build());

    private LeasesOptions.Builder options(String holder) {
        return LeasesOptions.builder().withoutCleanUp().holder(holder).environment(runtime);
    }

    @AfterEach
    void close() {
        ghost.close();
        leases.close();
        runtime.close();
    }

    @Test
    void anExpiredEntryIsRemovedAfterAWeekAndNotBefore() {
        ghost.tryAcquire(KEY, OPTIONS).orThrow();

        runtime.advance(WEEK.minusMillis(1));
        assertThat(leases.cleanUp(IDLE)).isZero();
        assertThat(leases.get(KEY).orElseThrow().entry().state()).isEqualTo(LeaseState.HELD);
        runtime.advance(Duration.ofMillis(2));
        assertThat(leases.cleanUp(IDLE)).isEqualTo(1);

        assertThat(leases.get(KEY)).isEmpty();
    }

    @Test
    void fencesGrowAfterAnExpiredEntryWasRemoved() {
        Lease before = ghost.tryAcquire(KEY, OPTIONS).orThrow();
        runtime.advance(WEEK.plusDays(1));
        assertThat(leases.cleanUp(IDLE)).isEqualTo(1);

        Lease after = leases.tryAcquire(KEY, OPTIONS).orThrow();

        assertThat(after.fence()).isGreaterThan(before.fence());
    }

    @Test
    void anExpiredAnchorAndItsChildrenAreRemoved() {
        Anchor anchor = ghost.anchor("worker", TERM);
        ghost.tryAcquire(KEY, OPTIONS.under(anchor)).orThrow();
        ghost.tryAcquire(Key.of("other"), OPTIONS.under(anchor)).orThrow();
        runtime.advance(WEEK.plusDays(1));

        long removed = leases.cleanUp(IDLE) + leases.cleanUp(IDLE);

        assertThat(removed).isEqualTo(3);
        assertThat(leases.list(LeaseFilter.all())).isEmpty();
    }

    @Test
    void anOrphanOfARemovedAnchorIsRemoved() {
        Anchor anchor = leases.anchor("worker", TERM);
        leases.tryAcquire(KEY, OPTIONS.under(anchor)).orThrow();
        anchor.close();
        runtime.advance(WEEK.plusDays(1));

        long removed = leases.cleanUp(IDLE) + leases.cleanUp(IDLE);

        assertThat(removed).isEqualTo(2);
        assertThat(leases.list(LeaseFilter.all())).isEmpty();
    }

    @Test
    void aHeldChildIsKeptHoweverOldItsOwnBeatIs() {
        Anchor anchor = leases.anchor("worker", TERM);
        Lease child = leases.tryAcquire(KEY, OPTIONS.under(anchor)).orThrow();

        runtime.advance(WEEK.multipliedBy(3));

        assertThat(leases.cleanUp(IDLE)).isZero();
        assertThat(child.isHeld()).isTrue();
        assertThat(leases.get(KEY).orElseThrow().isHeld()).isTrue();
    }

    /** Its attributes record the progress of the work: the next holder needs them. */
    @Test
    void aLongHeldChildIsKeptForAWeekAfterItsAnchorEnded() {
        Anchor anchor = leases.anchor("worker", TERM);
        Lease child = leases.tryAcquire(KEY, OPTIONS.under(anchor)).orThrow();
        runtime.advance(WEEK.multipliedBy(3));
        child.update(AttributePatch.putting("checkpoint", 7));
        anchor.close();

        assertThat(leases.cleanUp(IDLE)).isZero();

        assertThat(leases.get(KEY).orElseThrow().attributes().names()).containsExactly("checkpoint");
    }

    @Test
    void aLongHeldChildIsKeptForAWeekAfterItWasReleased() {
        Anchor anchor = leases.anchor("worker", TERM);
        Lease child = leases.tryAcquire(KEY, OPTIONS.under(anchor)).orThrow();
        runtime.advance(WEEK.multipliedBy(3));
        child.update(AttributePatch.putting("checkpoint", 7));
        child.release();

        assertThat(leases.cleanUp(IDLE)).isZero();

        assertThat(leases.get(KEY).orElseThrow().attributes().names()).containsExactly("checkpoint");
    }
}
