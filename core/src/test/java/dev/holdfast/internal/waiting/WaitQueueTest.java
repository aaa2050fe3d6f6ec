package dev.holdfast.internal.waiting;

import static dev.holdfast.internal.pipeline.PipelineScene.KEY;
import static dev.holdfast.internal.pipeline.PipelineScene.acquire;
import static dev.holdfast.internal.pipeline.PipelineScene.held;
import static dev.holdfast.internal.pipeline.PipelineScene.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LeaseListener;
import dev.holdfast.StoreException;
import dev.holdfast.internal.pipeline.PipelineScene;
import dev.holdfast.service.Answer;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Version;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WaitQueueTest {
    private final PipelineScene scene = new PipelineScene();
    private final WaitQueues queues = new WaitQueues(
            scene.pipeline, scene.rules.validity(), scene.store.notifier(), Duration.ofSeconds(10), LeaseListener.NONE);

    private CompletableFuture<Answer> await() {
        return queues.acquire(
                KEY,
                acquire(),
                scene.environment.nanos() + Duration.ofMinutes(1).toNanos(),
                false);
    }

    @Test
    void aNotificationDuringAnAttemptMakesTheQueueAttemptAgainAtOnce() {
        CompletableFuture<Answer> waiting = await();

        List.copyOf(scene.store.wakers).forEach(wake -> wake.wake(null));
        scene.store.applies.get(0).answer().complete(List.of(WriteOutcome.conflict(stored(held(1)))));

        assertThat(waiting).isNotDone();
        assertThat(scene.store.reads)
                .as("reads, without any time having passed")
                .hasSize(1);
    }

    @Test
    void anEntryThatComesWithANotificationIsWrittenWithoutARead() {
        CompletableFuture<Answer> waiting = await();
        scene.store.applies.get(0).answer().complete(List.of(WriteOutcome.conflict(stored(held(1)))));
        Entry free = held(1).freed(Version.of(new UUID(0x7f, 1)));

        List.copyOf(scene.store.wakers).forEach(wake -> wake.wake(free));

        assertThat(scene.store.reads).isEmpty();
        assertThat(scene.store.applies).hasSize(2);
        assertThat(scene.store.applies.get(1).changes())
                .extracting(Change::expected)
                .containsExactly(free.version());
        assertThat(waiting).isNotDone();
    }

    @Test
    void withoutANotificationTheQueueDoesNotAttemptAtOnce() {
        CompletableFuture<Answer> waiting = await();

        scene.store.applies.get(0).answer().complete(List.of(WriteOutcome.conflict(stored(held(1)))));

        assertThat(waiting).isNotDone();
        assertThat(scene.store.reads).isEmpty();
    }

    @Test
    void anAttemptWhoseCallerHasLeftIsNeverSentAgain() {
        CompletableFuture<Answer> waiting = await();
        scene.store.applies.get(0).answer().completeExceptionally(StoreException.notApplied("down", null));

        waiting.cancel(false);
        scene.environment.advance(Duration.ofMinutes(2));

        assertThat(scene.store.applies).hasSize(1);
    }

    @Test
    void anAttemptWhoseCallerStaysIsSentAgain() {
        CompletableFuture<Answer> waiting = await();
        scene.store.applies.get(0).answer().completeExceptionally(StoreException.notApplied("down", null));

        scene.environment.advance(Duration.ofSeconds(2));

        assertThat(waiting).isNotDone();
        assertThat(scene.store.applies).hasSize(2);
    }
}
