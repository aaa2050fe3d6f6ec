package dev.holdfast.internal.pipeline;

import static dev.holdfast.internal.pipeline.PipelineScene.KEY;
import static dev.holdfast.internal.pipeline.PipelineScene.held;
import static dev.holdfast.internal.pipeline.PipelineScene.stored;
import static dev.holdfast.internal.pipeline.RequestSteps.acquire;
import static dev.holdfast.internal.pipeline.RequestSteps.assertApplied;
import static dev.holdfast.internal.pipeline.RequestSteps.failure;
import static dev.holdfast.internal.pipeline.RequestSteps.key;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.Token;
import dev.holdfast.rules.Decision;
import dev.holdfast.service.Answer;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.ScriptedStore;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of requests for a key that is held through an anchor, and of steps that fail. */
class AnchoredRequestsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Key ANCHOR = Key.ofAnchor(Holder.of("worker"));
    private static final Fence ANCHOR_FENCE = Fence.of(7);

    private final RequestSteps steps = new RequestSteps();

    private static Entry anchored() {
        Entry entry = held(1);
        Grant last = requireNonNull(entry.grant());
        AnchorRef through = new AnchorRef(ANCHOR, ANCHOR_FENCE);
        Grant grant = new Grant(last.token(), last.holder(), last.term(), last.beat(), last.grantedAt(), through);
        return entry.renewed(entry.version(), entry.fence(), grant, entry.attributes());
    }

    private static Entry anchor() {
        Grant grant = new Grant(
                Token.of(new UUID(0x74, 1)),
                Holder.of("worker"),
                PipelineScene.TERM,
                Beat.of(PipelineScene.version(70)),
                Instant.EPOCH,
                null);
        return Entry.empty(ANCHOR, PipelineScene.version(69), Fence.NONE, Instant.EPOCH)
                .granted(PipelineScene.version(70), ANCHOR_FENCE, grant, Attributes.NONE);
    }

    private void answerRead(Entry entry, Duration age) {
        var reads = steps.scene.store.reads;
        reads.get(reads.size() - 1).complete(List.of(Optional.of(new StoredEntry(entry, age))));
    }

    /** A request that found the key held through the anchor, which has this age. */
    private CompletableFuture<Answer> acquireWithAnchorOf(Duration age) {
        CompletableFuture<Answer> answer = steps.submit(KEY, acquire(1));
        steps.conflictLast(WriteOutcome.conflict(stored(anchored())));
        assertThat(steps.scene.store.keysRead).containsExactly(List.of(ANCHOR));
        answerRead(anchor(), age);
        return answer;
    }

    @Test
    void aLiveAnchorKeepsItsLeases() {
        assertThat(acquireWithAnchorOf(SECOND))
                .isCompletedWithValueMatching(
                        it -> it instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Held);
        assertThat(steps.batches()).isEqualTo(1);
    }

    @Test
    void anExpiredAnchorIsEvictedBeforeItsLeaseIsGranted() {
        CompletableFuture<Answer> answer = acquireWithAnchorOf(Duration.ofHours(1));
        assertThat(steps.lastChange().key()).isEqualTo(ANCHOR);
        assertThat(requireNonNull(steps.lastChange().next()).state()).isEqualTo(LeaseState.FREE);
        assertThat(answer).isNotDone();

        steps.applyLast();
        assertThat(steps.events).contains("evicted worker: not renewed for longer than its term");
        assertThat(steps.lastChange().key()).isEqualTo(KEY);
        steps.applyLast();

        assertApplied(answer);
    }

    @Test
    void anAnchorThatWasRenewedInTimeIsNotEvicted() {
        CompletableFuture<Answer> answer = acquireWithAnchorOf(Duration.ofHours(1));
        Entry renewed = anchor().withVersion(PipelineScene.version(71));
        Grant grant = requireNonNull(renewed.grant());
        Entry alive = renewed.renewed(
                renewed.version(),
                ANCHOR_FENCE,
                grant.renewed(Beat.of(renewed.version()), grant.term()),
                Attributes.NONE);

        steps.conflictLast(WriteOutcome.conflict(stored(alive)));

        assertThat(steps.events).noneMatch(it -> it.startsWith("evicted"));
        assertThat(answer)
                .isCompletedWithValueMatching(
                        it -> it instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Held);
    }

    @Test
    void anEvictionThatFailsFailsTheRequestThatNeededIt() {
        CompletableFuture<Answer> answer = acquireWithAnchorOf(Duration.ofHours(1));

        steps.failLast(StoreException.rejected("never", null));

        assertThat(failure(answer).effect()).isEqualTo(Effect.NOT_APPLIED);
    }

    @Test
    void aStepThatFailsInAnUnforeseenWayFailsItsRequestOnly() {
        LeaseListener failing = new LeaseListener() {
            @Override
            public void onConflict(Key key) {
                throw new IllegalStateException("a bug");
            }
        };
        PipelineScene scene = new PipelineScene(new ScriptedStore(), failing);
        long deadlineNanos = PipelineScene.OPERATION_TIMEOUT.toNanos();
        CompletableFuture<Answer> first =
                scene.pipeline.submit(key(0), acquire(0), deadlineNanos, new CallWrites(), false);
        CompletableFuture<Answer> second =
                scene.pipeline.submit(KEY, acquire(1), deadlineNanos, new CallWrites(), false);
        CompletableFuture<Answer> third =
                scene.pipeline.submit(key(2), acquire(2), deadlineNanos, new CallWrites(), false);
        scene.store.applies.get(0).answer().complete(List.of(WriteOutcome.APPLIED));
        scene.store
                .applies
                .get(1)
                .answer()
                .complete(List.of(WriteOutcome.conflict(stored(held(1))), WriteOutcome.APPLIED));

        assertApplied(first);
        assertThat(failure(second).effect()).isEqualTo(Effect.UNKNOWN);
        assertApplied(third);
    }
}
