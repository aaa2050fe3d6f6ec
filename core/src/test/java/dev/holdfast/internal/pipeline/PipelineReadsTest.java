package dev.holdfast.internal.pipeline;

import static dev.holdfast.internal.pipeline.PipelineScene.KEY;
import static dev.holdfast.internal.pipeline.PipelineScene.OPERATION_TIMEOUT;
import static dev.holdfast.internal.pipeline.PipelineScene.held;
import static dev.holdfast.internal.pipeline.PipelineScene.stored;
import static dev.holdfast.internal.pipeline.RequestSteps.key;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.StoreException;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.ScriptedStore;
import dev.holdfast.store.StoredEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of reads: how they are gathered, repeated, and noted. */
class PipelineReadsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final EntryScan SCAN = EntryScan.of("jobs", 10);

    private final PipelineScene scene = new PipelineScene(new ScriptedStore(1, 2), LeaseListener.NONE);
    private final RetryingReader reader = scene.pipeline.reads();

    private CompletableFuture<Map<Key, ObservedEntry>> read(Key... keys) {
        return reader.read(Set.of(keys));
    }

    /** Answers a read: no key has an entry. */
    private void answerRead(int number) {
        int size = scene.store.keysRead.get(number).size();
        scene.store.reads.get(number).complete(Collections.nCopies(size, Optional.empty()));
    }

    @Test
    void keysThatAreRequestedDuringAReadFormTheNextOne() {
        CompletableFuture<?> first = read(key(1));
        CompletableFuture<?> second = read(key(2));
        CompletableFuture<?> third = read(key(3));
        assertThat(scene.store.keysRead).containsExactly(List.of(key(1)));

        answerRead(0);
        assertThat(first).isCompleted();
        assertThat(scene.store.keysRead).containsExactly(List.of(key(1)), List.of(key(2), key(3)));
        answerRead(1);

        assertThat(second).isCompleted();
        assertThat(third).isCompleted();
    }

    @Test
    void aReadIsNoLargerThanTheStoreAllows() {
        CompletableFuture<Map<Key, ObservedEntry>> all = read(key(1), key(2), key(3));

        answerRead(0);
        assertThat(all).isNotDone();
        answerRead(1);

        assertThat(scene.store.keysRead).extracting(List::size).containsExactly(2, 1);
        assertThat(all.join()).containsOnlyKeys(key(1), key(2), key(3));
    }

    @Test
    void requestsForOneKeyShareAReadThatIsSentAfterThem() {
        CompletableFuture<?> first = read(KEY);
        CompletableFuture<?> second = read(KEY);
        CompletableFuture<?> third = read(KEY);

        answerRead(0);
        assertThat(first).isCompleted();
        assertThat(second).as("the first read was sent before it").isNotDone();
        answerRead(1);

        assertThat(second).isCompleted();
        assertThat(third).isCompleted();
        assertThat(scene.store.reads).hasSize(2);
    }

    @Test
    void anAnswerOfTheWrongLengthIsRepeated() {
        CompletableFuture<?> read = read(KEY);

        scene.store.reads.get(0).complete(List.of());
        assertThat(read).isNotDone();
        scene.environment.advance(SECOND);
        answerRead(1);

        assertThat(read).isCompleted();
    }

    @Test
    void aReadFailsWhenItsTimeIsOver() {
        CompletableFuture<?> read = read(KEY);

        scene.environment.advance(OPERATION_TIMEOUT.minusNanos(1));
        assertThat(read).isNotDone();
        scene.environment.advance(Duration.ofNanos(1));

        assertThat(read)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(StoreException.class)
                .withMessageContaining("no answer from the store in time");
    }

    @Test
    void aReadThatFailsIsRepeatedUntilItsTimeIsOver() {
        CompletableFuture<?> read = read(KEY);
        for (int i = 0; i < 200 && !read.isDone(); i++) {
            List<CompletableFuture<List<Optional<StoredEntry>>>> reads = scene.store.reads;
            reads.get(reads.size() - 1).completeExceptionally(StoreException.notApplied("busy", null));
            scene.environment.advance(Duration.ofMillis(100));
        }

        assertThat(read)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(StoreException.class)
                .withMessageContaining("busy");
        assertThat(Duration.ofNanos(scene.environment.nanos()))
                .isBetween(OPERATION_TIMEOUT.minus(SECOND), OPERATION_TIMEOUT);
    }

    @Test
    void readsOfAStoreThatIsDownAreRepeatedLessAndLessOften() {
        CompletableFuture<?> read = read(KEY);
        for (int i = 0; i < 10_000 && !read.isDone(); i++) {
            List<CompletableFuture<List<Optional<StoredEntry>>>> reads = scene.store.reads;
            reads.get(reads.size() - 1).completeExceptionally(StoreException.notApplied("busy", null));
            scene.environment.advance(Duration.ofMillis(1));
        }

        assertThat(read).isCompletedExceptionally();
        assertThat(scene.store.reads).hasSizeBetween(15, 25);
    }

    @Test
    void aReadThatTheStoreRejectsIsNotRepeated() {
        CompletableFuture<?> read = read(KEY);

        scene.store.reads.get(0).completeExceptionally(StoreException.rejected("never", null));

        assertThat(read).isCompletedExceptionally();
        scene.environment.advance(OPERATION_TIMEOUT);
        assertThat(scene.store.reads).hasSize(1);
    }

    @Test
    void aMistakeOfTheCallerIsReportedAsSuch() {
        CompletableFuture<?> page = reader.scan(SCAN);

        scene.store.scans.get(0).completeExceptionally(new IllegalArgumentException("cursor"));

        assertThat(page)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void closingAbortsAReadBetweenTwoAttempts() {
        CompletableFuture<?> read = read(KEY);
        scene.store.reads.get(0).completeExceptionally(StoreException.notApplied("busy", null));

        scene.pipeline.close();

        assertThat(read).isCompletedExceptionally();
    }

    @Test
    void aReadWhoseCallerHasLeftIsNotRepeated() {
        CompletableFuture<?> read = read(KEY);
        scene.store.reads.get(0).completeExceptionally(StoreException.notApplied("busy", null));

        read.cancel(false);
        scene.environment.advance(OPERATION_TIMEOUT);

        assertThat(scene.store.reads).hasSize(1);
        assertThat(scene.environment.timers()).isZero();
    }

    @Test
    void aListingIsNotedForLaterDecisions() {
        CompletableFuture<RetryingReader.ObservedPage> page = reader.observe(SCAN);
        scene.store.scans.get(0).complete(new ScanPage(List.of(stored(held(1))), "next"));

        assertThat(page.join().cursor()).isEqualTo("next");
        assertThat(page.join().entries()).extracting(ObservedEntry::entry).containsExactly(held(1));
        assertThat(scene.pipeline.cache().entry(KEY)).isEqualTo(held(1));
        assertThat(scene.pipeline.cache().entry(key(9))).isNull();
    }

    /** They would fill the cache, and are rarely written again. */
    @Test
    void doneKeysOfAListingAreNotNoted() {
        Entry done = held(1).done(PipelineScene.version(2), Instant.EPOCH, Attributes.NONE);
        CompletableFuture<?> page = reader.observe(SCAN);
        scene.store.scans.get(0).complete(new ScanPage(List.of(stored(done)), null));

        assertThat(page).isCompleted();
        assertThat(scene.pipeline.cache().get(KEY)).isNull();
    }

    @Test
    void anUnchangedBeatInAListingWasFirstSeenEarlier() {
        StoredEntry ageless = new StoredEntry(held(1), null);
        CompletableFuture<?> first = reader.observe(SCAN);
        scene.store.scans.get(0).complete(new ScanPage(List.of(ageless), null));
        scene.environment.advance(SECOND);
        CompletableFuture<RetryingReader.ObservedPage> second = reader.observe(SCAN);
        scene.store.scans.get(1).complete(new ScanPage(List.of(ageless), null));

        assertThat(first).isCompleted();
        ObservedEntry seen = second.join().entries().get(0);
        assertThat(seen.beatSeenNanos()).isZero();
        assertThat(seen.answeredNanos()).isEqualTo(SECOND.toNanos());
        assertThat(requireNonNull(scene.pipeline.cache().get(KEY)).beatSeenNanos())
                .isZero();
    }
}
