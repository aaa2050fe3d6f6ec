package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.ANCHOR;
import static dev.holdfast.rules.Examples.ANCHOR_PATIENCE;
import static dev.holdfast.rules.Examples.KEY;
import static dev.holdfast.rules.Examples.PATIENCE;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.history.PastGrant;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The laws that every decision must obey, written independently of the rules. */
final class Laws {
    private final RandomScenes.Scene scene;
    private final LeaseRequest leaseRequest;
    private final @Nullable Entry before;
    private final Decision decision;

    Laws(RandomScenes.Scene scene, Decision decision) {
        this.scene = scene;
        this.leaseRequest = scene.request();
        this.before = scene.entry();
        this.decision = decision;
    }

    /** Whether a write in this scene grants the key to a token that did not hold it. */
    static boolean isGrant(RandomScenes.Scene scene) {
        Entry before = scene.entry();
        LeaseRequest.Acquire acquire = acquireOf(scene.request());
        return acquire != null && (before == null || !before.isHeldBy(acquire.token()));
    }

    private static LeaseRequest.@Nullable Acquire acquireOf(LeaseRequest leaseRequest) {
        if (leaseRequest instanceof LeaseRequest.HandOver handOver) {
            return handOver.next();
        }
        return leaseRequest instanceof LeaseRequest.Acquire acquire ? acquire : null;
    }

    void check() {
        if (decision instanceof Decision.Write write) {
            onlyTheKeySeenIsWrittenAndOnlyAsSeen(write.change());
            aHolderThatMayBeAliveIsNotDisplaced(write.change().next());
            doneIsLeftOnlyByReopenDeleteOrCleanUp(write.change().next());
            if (write.change().next() == null) {
                assertThat(leaseRequest).isInstanceOf(LeaseRequest.CleanUp.class);
            } else {
                checkNext(write.change().next());
            }
        } else if (decision instanceof Decision.EvictFirst evict) {
            onlyAnExpiredAnchorIsEvicted(evict.anchor());
        } else if (decision instanceof Decision.Held held) {
            assertThat(held).isEqualTo(Decision.Held.of(requireNonNull(before), held.remaining()));
            assertThat(mayBeAlive()).isTrue();
            assertThat(held.remaining()).isPositive();
        } else if (decision instanceof Decision.Finished finished) {
            assertThat(requireNonNull(before).state()).isEqualTo(LeaseState.DONE);
            assertThat(finished).isEqualTo(Decision.Finished.of(before));
        } else if (decision instanceof Decision.Lost) {
            // A request without a token has none to lose.
            assertThat(ownToken()).isNotNull();
        }
    }

    private void checkNext(Entry next) {
        assertThat(next.version()).isEqualTo(scene.stamp().version());
        theFenceGrowsExactlyWithAGrant(next);
        theBeatChangesExactlyWithGrantAndRenewal(next);
        attributesChangeByPatchesOnly(next);
        theHistoryGrowsExactlyWithTheEndOfAGrant(next);
        assertThat(next.doneAt() != null).isEqualTo(leaseRequest instanceof LeaseRequest.Done);
        boolean startsAnew = before == null || leaseRequest instanceof LeaseRequest.Delete;
        assertThat(next.createdAt())
                .isEqualTo(
                        startsAnew
                                ? scene.stamp().now()
                                : requireNonNull(before).createdAt());
    }

    private void onlyTheKeySeenIsWrittenAndOnlyAsSeen(Change change) {
        assertThat(change.key()).isEqualTo(KEY);
        assertThat(change.expected()).isEqualTo(before == null ? null : before.version());
    }

    private void theFenceGrowsExactlyWithAGrant(Entry next) {
        Fence last = before == null ? Fence.NONE : before.fence();
        Grant lastGrant = before == null ? null : before.grant();
        if (isGrant(scene)) {
            assertThat(next.fence()).isGreaterThan(last);
            assertThat(next.state()).isEqualTo(LeaseState.HELD);
        } else {
            assertThat(next.fence()).isEqualTo(last);
            Token lastToken = requireNonNull(lastGrant).token();
            assertThat(next.grant() == null || next.isOf(lastToken)).isTrue();
        }
    }

    private void theHistoryGrowsExactlyWithTheEndOfAGrant(Entry next) {
        List<PastGrant> last = before == null || leaseRequest instanceof LeaseRequest.Delete
                ? List.of()
                : before.history().lines();
        boolean ends = before != null
                && before.state() == LeaseState.HELD
                && (next.state() != LeaseState.HELD || next.grants() > before.grants());
        if (before == null || !ends || leaseRequest instanceof LeaseRequest.Delete) {
            assertThat(next.history().lines()).isEqualTo(last);
            return;
        }
        Grant ended = requireNonNull(before.grant());
        PastGrant line = next.history().last().orElseThrow();
        assertThat(line.number()).isEqualTo(before.grants());
        assertThat(line.fence()).isEqualTo(before.fence());
        assertThat(line.holder()).isEqualTo(ended.holder());
        assertThat(line.grantedAt()).isEqualTo(ended.grantedAt());
        assertThat(line.end()).isIn(possibleEnds());
        int kept = Math.min(last.size(), GrantHistory.USUAL_LINES - 1);
        assertThat(next.history().lines().subList(0, next.history().lines().size() - 1))
                .isEqualTo(last.subList(last.size() - kept, last.size()));
    }

    private Set<GrantEnd> possibleEnds() {
        if (leaseRequest instanceof LeaseRequest.HandOver) {
            return Set.of(GrantEnd.HANDED_OVER);
        } else if (leaseRequest instanceof LeaseRequest.Acquire || leaseRequest instanceof LeaseRequest.EvictExpired) {
            return requireNonNull(before).heldThrough() == null ? Set.of(GrantEnd.EXPIRED) : Set.of(GrantEnd.ORPHANED);
        } else if (leaseRequest instanceof LeaseRequest.Done) {
            return Set.of(GrantEnd.DONE);
        } else if (leaseRequest instanceof LeaseRequest.EvictByForce) {
            return Set.of(GrantEnd.EVICTED);
        }
        return leaseRequest instanceof LeaseRequest.ReleaseUndelivered
                ? Set.of(GrantEnd.UNDELIVERED)
                : Set.of(GrantEnd.RELEASED);
    }

    private void theBeatChangesExactlyWithGrantAndRenewal(Entry next) {
        if (acquireOf(leaseRequest) != null || leaseRequest instanceof LeaseRequest.Renew) {
            assertThat(requireNonNull(next.grant()).beat())
                    .isEqualTo(Beat.of(scene.stamp().version()));
        } else if (leaseRequest instanceof LeaseRequest.Delete) {
            assertThat(next.grant()).isNull();
        } else {
            assertThat(next.grant()).isEqualTo(requireNonNull(before).grant());
        }
    }

    private void doneIsLeftOnlyByReopenDeleteOrCleanUp(@Nullable Entry next) {
        if (before == null || before.state() != LeaseState.DONE) {
            return;
        }
        assertThat(leaseRequest)
                .isInstanceOfAny(LeaseRequest.Reopen.class, LeaseRequest.Delete.class, LeaseRequest.CleanUp.class);
        if (leaseRequest instanceof LeaseRequest.CleanUp cleanUp) {
            assertThat(next).isNull();
            assertThat(cleanUp.keepDone()).isNotNull();
        }
    }

    private void aHolderThatMayBeAliveIsNotDisplaced(@Nullable Entry next) {
        if (before == null || before.state() != LeaseState.HELD || !mayBeAlive()) {
            return;
        }
        Token holder = requireNonNull(before.grant()).token();
        boolean stillHolds = next != null && next.isHeldBy(holder);
        boolean byItself = holder.equals(ownToken());
        assertThat(stillHolds || byItself || leaseRequest instanceof LeaseRequest.EvictByForce)
                .isTrue();
    }

    private void onlyAnExpiredAnchorIsEvicted(Key evicted) {
        ObservedEntry anchor = requireNonNull(scene.anchor());
        Entry anchorEntry = requireNonNull(anchor.entry());
        assertThat(evicted).isEqualTo(ANCHOR);
        assertThat(length(anchor)).isGreaterThanOrEqualTo(ANCHOR_PATIENCE);
        assertThat(anchorEntry.state()).isEqualTo(LeaseState.HELD);
    }

    private void attributesChangeByPatchesOnly(Entry next) {
        Attributes last = before == null ? Attributes.NONE : before.attributes();
        Attributes expected = leaseRequest instanceof LeaseRequest.Delete ? Attributes.NONE : patch().applyTo(last);
        assertThat(next.attributes()).isEqualTo(expected);
    }

    private AttributePatch patch() {
        LeaseRequest.Acquire acquire = acquireOf(leaseRequest);
        if (acquire != null) {
            // A repeated request of the holder: the attributes were patched with the grant.
            return isGrant(scene) ? acquire.attributes() : AttributePatch.NONE;
        } else if (leaseRequest instanceof LeaseRequest.Renew renew) {
            return renew.attributes();
        } else if (leaseRequest instanceof LeaseRequest.Done done) {
            return done.attributes();
        } else if (leaseRequest instanceof LeaseRequest.Update update) {
            return update.attributes();
        }
        return AttributePatch.NONE;
    }

    private @Nullable Token ownToken() {
        if (leaseRequest instanceof LeaseRequest.Acquire acquire) {
            return acquire.token();
        } else if (leaseRequest instanceof LeaseRequest.Renew renew) {
            return renew.token();
        } else if (leaseRequest instanceof LeaseRequest.Release release) {
            return release.token();
        } else if (leaseRequest instanceof LeaseRequest.HandOver handOver) {
            return handOver.token();
        } else if (leaseRequest instanceof LeaseRequest.ReleaseUndelivered undelivered) {
            return undelivered.token();
        } else if (leaseRequest instanceof LeaseRequest.Done done) {
            return done.token();
        } else if (leaseRequest instanceof LeaseRequest.Update update) {
            return update.token();
        }
        return leaseRequest instanceof LeaseRequest.Delete delete ? delete.token() : null;
    }

    /**
     * Whether the holder of the key, or of its anchor, may still write. The holder of an expired anchor may, until it
     * is evicted.
     */
    private boolean mayBeAlive() {
        AnchorRef ref = requireNonNull(before).heldThrough();
        if (ref == null) {
            return length(requireNonNull(scene.seen())).compareTo(PATIENCE) < 0;
        }
        ObservedEntry anchor = scene.anchor();
        if (anchor == null) {
            return true;
        }
        Entry entry = anchor.entry();
        if (entry == null || entry.fence().compareTo(ref.fence()) < 0) {
            // Not granted yet, unless the anchor was read after the lease.
            return anchor.asked() <= requireNonNull(scene.seen()).answered();
        }
        return entry.state() == LeaseState.HELD && entry.fence().equals(ref.fence());
    }

    private static Duration length(ObservedEntry seen) {
        Duration stamped = seen.stampedAge(Examples.CLOCK);
        return stamped == null ? seen.sinceFirstSeen(Examples.CLOCK) : stamped;
    }
}
