package dev.holdfast.internal.waiting;

import static dev.holdfast.internal.pipeline.PipelineScene.KEY;
import static dev.holdfast.internal.pipeline.PipelineScene.held;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.Token;
import dev.holdfast.service.Answer;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Version;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of what wakes a queue: releases of its key, and of the anchor that keeps the key held. */
class WaitWakeUpTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Key ANCHOR = Key.ofAnchor(Holder.of("worker"));
    private static final Key OTHER_ANCHOR = Key.ofAnchor(Holder.of("other"));

    /** A store that notifies of nothing: only this process wakes the queues. */
    private final WaitingScene scene = new WaitingScene(LeaseListener.NONE, false);

    private static Entry heldThrough(Key anchor) {
        Entry entry = held(1);
        Grant last = requireNonNull(entry.grant());
        AnchorRef through = new AnchorRef(anchor, Fence.of(7));
        Grant grant = new Grant(last.token(), last.holder(), last.term(), last.beat(), last.grantedAt(), through);
        return entry.renewed(entry.version(), entry.fence(), grant, entry.attributes());
    }

    private static Entry anchor(Key key) {
        Version version = Version.of(new UUID(0x75, key.hashCode()));
        Grant grant = new Grant(
                Token.of(new UUID(0x74, 1)),
                Holder.of("them"),
                requireNonNull(held(1).grant()).term(),
                Beat.of(version),
                Instant.EPOCH,
                null);
        return Entry.empty(key, version, Fence.NONE, Instant.EPOCH)
                .granted(version, Fence.of(7), grant, Attributes.NONE);
    }

    /** A request that found the key held through {@code anchor}. */
    private static CompletableFuture<Answer> waitingFor(Key anchor, WaitingScene through) {
        CompletableFuture<Answer> waiting = through.await("us", LONG);
        through.conflict(heldThrough(anchor));
        settle(through, anchor);
        assertThat(waiting).isNotDone();
        return waiting;
    }

    /**
     * Answers all reads: nothing has changed. If the anchor was not watched before, its end may have gone unnoticed, and the
     * queue attempts again.
     */
    private static void settle(WaitingScene through, Key anchor) {
        for (int i = 0; i < 10; i++) {
            int last = through.store.reads.size() - 1;
            if (last >= 0 && !through.store.reads.get(last).isDone()) {
                boolean ofAnchor = through.store.keysRead.get(last).contains(anchor);
                through.read(ofAnchor ? anchor(anchor) : heldThrough(anchor));
            }
        }
    }

    @Test
    void aReleaseInThisProcessWakesTheQueueOfItsKey() {
        CompletableFuture<Answer> waiting = scene.await("us", LONG);
        scene.conflict(held(1));
        int before = scene.attempts();

        scene.queues.freed(Key.of("jobs", "other"));
        assertThat(scene.attempts()).isEqualTo(before);
        scene.queues.freed(KEY);

        assertThat(scene.attempts()).isEqualTo(before + 1);
        assertThat(waiting).isNotDone();
    }

    @Test
    void theEndOfAnAnchorInThisProcessWakesTheQueuesOfItsLeases() {
        waitingFor(ANCHOR, scene).exceptionally(error -> null);
        int before = scene.attempts();

        scene.queues.freed(OTHER_ANCHOR);
        assertThat(scene.attempts()).isEqualTo(before);
        scene.queues.freed(ANCHOR);

        assertThat(scene.attempts()).isEqualTo(before + 1);
    }

    @Test
    void onlyTheAnchorThatTheKeyIsHeldThroughNowIsWatched() {
        WaitingScene notified = new WaitingScene();
        CompletableFuture<Answer> waiting = waitingFor(ANCHOR, notified);
        assertThat(notified.store.watched).containsExactlyInAnyOrder(KEY, ANCHOR);

        notified.queues.freed(KEY);
        notified.read(heldThrough(OTHER_ANCHOR));
        settle(notified, OTHER_ANCHOR);
        assertThat(notified.store.watched).containsExactlyInAnyOrder(KEY, OTHER_ANCHOR);
        int before = notified.attempts();
        notified.queues.freed(ANCHOR);
        assertThat(notified.attempts()).isEqualTo(before);

        notified.queues.freed(KEY);
        notified.read(held(1));
        assertThat(notified.store.watched).containsExactly(KEY);
        assertThat(notified.attempts()).as("no attempt follows at once").isEqualTo(before + 1);
        waiting.cancel(false);
        assertThat(notified.store.watched).isEmpty();
    }

    @Test
    void aQueueAttemptsShortlyAfterTheHoldersTermWillHaveExpired() {
        CompletableFuture<Answer> waiting = scene.await("us", LONG);
        scene.conflict(held(1));
        scene.queues.freed(KEY);
        Duration left = Duration.ofMillis(5);
        // The patience of others is the term and a margin of a thousandth.
        scene.read(held(1), Duration.ofMillis(60_060).minus(left));
        int before = scene.attempts();

        scene.environment.advance(left.plusMillis(6).minusNanos(1));
        assertThat(scene.attempts()).isEqualTo(before);
        scene.environment.advance(Duration.ofNanos(1));

        assertThat(scene.attempts()).isEqualTo(before + 1);
        scene.answer(WriteOutcome.APPLIED);
        assertThat(waiting).isCompletedWithValueMatching(Answer.Applied.class::isInstance);
    }
}
