package dev.holdfast.internal.rules;

import static dev.holdfast.internal.rules.Examples.ANCHOR;
import static dev.holdfast.internal.rules.Examples.ANCHOR_PATIENCE;
import static dev.holdfast.internal.rules.Examples.KEY;
import static dev.holdfast.internal.rules.Examples.PATIENCE;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.AnchorRef;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Attributes;
import dev.holdfast.model.Beat;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Change;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What every decision must obey, said without the words of the rules. */
final class Laws {
    private final RandomScenes.Scene scene;
    private final Request request;
    private final @Nullable Entry before;
    private final Decision decision;

    Laws(RandomScenes.Scene scene, Decision decision) {
        this.scene = scene;
        this.request = scene.request();
        this.before = scene.entry();
        this.decision = decision;
    }

    /** Whether a write in this scene makes a token the holder that was not. */
    static boolean isGrant(RandomScenes.Scene scene) {
        Entry before = scene.entry();
        Request.Acquire acquire = asked(scene.request());
        return acquire != null && (before == null || !before.isHeldBy(acquire.token()));
    }

    private static Request.@Nullable Acquire asked(Request request) {
        if (request instanceof Request.HandOver handOver) {
            return handOver.next();
        }
        return request instanceof Request.Acquire acquire ? acquire : null;
    }

    void check() {
        if (decision instanceof Decision.Write write) {
            onlyTheKeySeenIsWrittenAndOnlyAsSeen(write.change());
            aHolderWhoMayBeAliveIsNotDisplaced(write.change().next());
            doneIsLeftOnlyByReopenDeleteOrCleanUp(write.change().next());
            if (write.change().next() == null) {
                assertThat(request).isInstanceOf(Request.CleanUp.class);
            } else {
                checkNext(write.change().next());
            }
        } else if (decision instanceof Decision.EvictFirst evict) {
            onlyASilentAnchorIsEvicted(evict.anchor());
        } else if (decision instanceof Decision.Held held) {
            assertThat(held.entry()).isEqualTo(before);
            assertThat(mayBeAlive()).isTrue();
            assertThat(held.remaining()).isPositive();
        } else if (decision instanceof Decision.Finished finished) {
            assertThat(finished.entry()).isEqualTo(before);
            assertThat(finished.entry().state()).isEqualTo(State.DONE);
        } else if (decision instanceof Decision.Lost) {
            // Who acts without a token has none to lose.
            assertThat(ownToken()).isNotNull();
        }
    }

    private void checkNext(Entry next) {
        assertThat(next.version()).isEqualTo(scene.stamp().version());
        theFenceGrowsExactlyWithAGrant(next);
        theBeatChangesExactlyWithGrantAndRenewal(next);
        attributesChangeByPatchesOnly(next);
        assertThat(next.doneAt() != null).isEqualTo(request instanceof Request.Done);
        boolean startsAnew = before == null || request instanceof Request.Delete;
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
            assertThat(next.state()).isEqualTo(State.HELD);
        } else {
            assertThat(next.fence()).isEqualTo(last);
            Token lastToken = requireNonNull(lastGrant).token();
            assertThat(next.grant() == null || next.isOf(lastToken)).isTrue();
        }
    }

    private void theBeatChangesExactlyWithGrantAndRenewal(Entry next) {
        if (asked(request) != null || request instanceof Request.Renew) {
            assertThat(requireNonNull(next.grant()).beat())
                    .isEqualTo(Beat.of(scene.stamp().version()));
        } else if (request instanceof Request.Delete) {
            assertThat(next.grant()).isNull();
        } else {
            assertThat(next.grant()).isEqualTo(requireNonNull(before).grant());
        }
    }

    private void doneIsLeftOnlyByReopenDeleteOrCleanUp(@Nullable Entry next) {
        if (before == null || before.state() != State.DONE) {
            return;
        }
        assertThat(request).isInstanceOfAny(Request.Reopen.class, Request.Delete.class, Request.CleanUp.class);
        if (request instanceof Request.CleanUp cleanUp) {
            assertThat(next).isNull();
            assertThat(cleanUp.keepDone()).isNotNull();
        }
    }

    private void aHolderWhoMayBeAliveIsNotDisplaced(@Nullable Entry next) {
        if (before == null || before.state() != State.HELD || !mayBeAlive()) {
            return;
        }
        Token holder = requireNonNull(before.grant()).token();
        boolean stillHolds = next != null && next.isHeldBy(holder);
        boolean byItself = holder.equals(ownToken());
        assertThat(stillHolds || byItself || request instanceof Request.EvictByForce)
                .isTrue();
    }

    private void onlyASilentAnchorIsEvicted(Key evicted) {
        Sighting anchor = requireNonNull(scene.anchor());
        Entry anchorEntry = requireNonNull(anchor.entry());
        assertThat(evicted).isEqualTo(ANCHOR);
        assertThat(length(anchor)).isGreaterThanOrEqualTo(ANCHOR_PATIENCE);
        assertThat(anchorEntry.state()).isEqualTo(State.HELD);
    }

    private void attributesChangeByPatchesOnly(Entry next) {
        Attributes last = before == null ? Attributes.NONE : before.attributes();
        Attributes expected = request instanceof Request.Delete ? Attributes.NONE : patch().applyTo(last);
        assertThat(next.attributes()).isEqualTo(expected);
    }

    private AttributePatch patch() {
        Request.Acquire asked = asked(request);
        if (asked != null) {
            // A grant heard of late was patched when it was made.
            return isGrant(scene) ? asked.attributes() : AttributePatch.NONE;
        } else if (request instanceof Request.Renew renew) {
            return renew.attributes();
        } else if (request instanceof Request.Done done) {
            return done.attributes();
        } else if (request instanceof Request.Update update) {
            return update.attributes();
        }
        return AttributePatch.NONE;
    }

    private @Nullable Token ownToken() {
        if (request instanceof Request.Acquire acquire) {
            return acquire.token();
        } else if (request instanceof Request.Renew renew) {
            return renew.token();
        } else if (request instanceof Request.Release release) {
            return release.token();
        } else if (request instanceof Request.HandOver handOver) {
            return handOver.token();
        } else if (request instanceof Request.GiveBack giveBack) {
            return giveBack.token();
        } else if (request instanceof Request.Done done) {
            return done.token();
        } else if (request instanceof Request.Update update) {
            return update.token();
        }
        return request instanceof Request.Delete delete ? delete.token() : null;
    }

    /** Whether the holder of the key, or of its anchor, may still write; a silent anchor may, until it is evicted. */
    private boolean mayBeAlive() {
        AnchorRef ref = requireNonNull(before).heldThrough();
        if (ref == null) {
            return length(requireNonNull(scene.seen())).compareTo(PATIENCE) < 0;
        }
        Sighting anchor = scene.anchor();
        if (anchor == null) {
            return true;
        }
        Entry entry = anchor.entry();
        if (entry == null || entry.fence().compareTo(ref.fence()) < 0) {
            // Not granted yet, unless the anchor was looked at after the lease.
            return anchor.asked() <= requireNonNull(scene.seen()).told();
        }
        return entry.state() == State.HELD && entry.fence().equals(ref.fence());
    }

    private static Duration length(Sighting seen) {
        return seen.age() == null ? seen.sinceFirstSeen() : seen.age().plus(seen.sinceAnswer());
    }
}
