package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.LeaseState;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Version;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The requests by which others end a lease or remove a key: eviction and clean-up. */
class EvictRulesTest {
    private static final LeaseRequest EVICT_EXPIRED = new LeaseRequest.EvictExpired();
    private static final LeaseRequest EVICT_BY_FORCE = Examples.EVICT_BY_FORCE;

    @Test
    void aLiveHolderIsNotEvicted() {
        assertThat(decide(EVICT_EXPIRED, live(held(THEIRS))))
                .isEqualTo(Decision.Held.of(held(THEIRS), PATIENCE.minus(YOUNG)));
    }

    @Test
    void aKeyThatIsNotHeldNeedsNoEviction() {
        for (LeaseRequest leaseRequest : new LeaseRequest[] {EVICT_EXPIRED, EVICT_BY_FORCE}) {
            assertAlready(decide(leaseRequest, ABSENT), null);
            assertAlready(decide(leaseRequest, expired(deleted())), deleted());
            assertAlready(decide(leaseRequest, expired(freed(THEIRS))), freed(THEIRS));
            assertAlready(decide(leaseRequest, expired(done(THEIRS))), done(THEIRS));
        }
    }

    @Test
    void anExpiredHolderIsEvicted() {
        Entry next = written(decide(EVICT_EXPIRED, expired(held(THEIRS))));

        assertThat(next)
                .isEqualTo(Examples.recorded(
                        new Entry(
                                KEY, FRESH, LeaseState.FREE, FENCE, 3, grant(THEIRS, null), ATTRIBUTES, CREATED, null),
                        GrantEnd.EXPIRED));
    }

    @Test
    void forceEvictsALiveHolder() {
        Entry freed = Examples.recorded(held(THEIRS).freed(FRESH), GrantEnd.EVICTED);

        assertThat(written(decide(EVICT_BY_FORCE, live(held(THEIRS))))).isEqualTo(freed);
        assertThat(written(decide(EVICT_BY_FORCE, expired(held(THEIRS))))).isEqualTo(freed);
    }

    @Test
    void cleanUpKeepsAHeldKey() {
        assertThat(cleanUp(held(THEIRS), Duration.ZERO, Duration.ZERO)).isInstanceOf(Decision.Held.class);
    }

    @Test
    void cleanUpKeepsAKeyThatHasJustExpired() {
        Duration tooYoung = CleanUpOptions.IDLE_MIN.minusNanos(1);

        assertAlready(cleanUp(held(THEIRS), tooYoung, null), held(THEIRS));
    }

    @Test
    void cleanUpRemovesTheKeyOfADeadHolder() {
        assertThat(change(cleanUp(held(THEIRS), CleanUpOptions.IDLE_MIN, null))).isEqualTo(Change.remove(KEY, SEEN));
    }

    @Test
    void cleanUpKeepsAKeyThatIsNotYetIdle() {
        Duration tooYoung = CleanUpOptions.IDLE_MIN.minusNanos(1);

        assertAlready(cleanUp(freed(THEIRS), tooYoung, null), freed(THEIRS));
    }

    @Test
    void cleanUpKeepsADoneKeyUnlessRequested() {
        assertAlready(cleanUp(done(THEIRS), Duration.ofDays(1000), null), done(THEIRS));
    }

    @Test
    void cleanUpOfAnAbsentKeyIsFulfilled() {
        assertAlready(decide(new LeaseRequest.CleanUp(null), ABSENT), null);
    }

    @Test
    void cleanUpRemovesAnIdleKey() {
        assertThat(change(cleanUp(freed(THEIRS), CleanUpOptions.IDLE_MIN, null)))
                .isEqualTo(Change.remove(KEY, SEEN));
    }

    @Test
    void cleanUpRemovesADoneKeyIfRequested() {
        assertThat(change(cleanUp(done(THEIRS), Duration.ZERO, Duration.ofDays(1))))
                .isEqualTo(Change.remove(KEY, SEEN));
    }

    @Test
    void cleanUpCountsAnIdleTimeThatItObservedItself() {
        ObservedEntry observed = observed(freed(THEIRS), null, Duration.ZERO, CleanUpOptions.IDLE_MIN);

        assertThat(change(decideInAMonth(new LeaseRequest.CleanUp(null), observed)))
                .isEqualTo(Change.remove(KEY, SEEN));
    }

    private static Decision cleanUp(Entry entry, Duration age, @Nullable Duration keepDone) {
        return decideInAMonth(new LeaseRequest.CleanUp(keepDone), seen(entry, age));
    }

    private static Decision decideInAMonth(LeaseRequest leaseRequest, ObservedEntry seen) {
        Version fresh = FRESH;
        Instant later = NOW.plus(Duration.ofDays(30));
        return RULES.decisions().decide(KEY, leaseRequest, seen, null, Examples.stamp(fresh, later, STAMP.floor()));
    }
}
