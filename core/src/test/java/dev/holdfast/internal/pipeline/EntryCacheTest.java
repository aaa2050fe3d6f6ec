package dev.holdfast.internal.pipeline;

import static dev.holdfast.internal.pipeline.PipelineScene.KEY;
import static dev.holdfast.internal.pipeline.PipelineScene.held;
import static dev.holdfast.internal.pipeline.PipelineScene.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.store.Entry;
import org.junit.jupiter.api.Test;

class EntryCacheTest {
    private final EntryCache cache = new EntryCache(64);

    @Test
    void theAnswerToALaterQuestionReplacesTheOneBefore() {
        cache.note(KEY, stored(held(1)), 1, 2, 0);

        assertThat(cache.note(KEY, stored(held(2)), 3, 4, 0).entry()).isEqualTo(held(2));
        assertThat(cache.get(KEY)).extracting(ObservedEntry::entry).isEqualTo(held(2));
    }

    @Test
    void aLateAnswerToAnEarlierQuestionChangesNothing() {
        cache.note(KEY, stored(held(2)), 3, 4, 0);

        assertThat(cache.note(KEY, stored(held(1)), 1, 5, 0).entry()).isEqualTo(held(2));
        assertThat(cache.get(KEY)).extracting(ObservedEntry::entry).isEqualTo(held(2));
    }

    @Test
    void aPageAndAWriteThatWereSentEarlierChangeNothing() {
        cache.note(KEY, stored(held(2)), 3, 4, 0);

        cache.noteScanned(stored(held(1)), 1, 5, 0);
        cache.noteWritten(KEY, null, 2, 6, 0);

        assertThat(cache.get(KEY)).extracting(ObservedEntry::entry).isEqualTo(held(2));
    }

    @Test
    void anEntryThatTheStoreFoundFreeReplacesItsGrantButRefusesNoRequest() {
        cache.note(KEY, stored(held(2)), 3, 4, 0);

        cache.noteFreed(free(2), 5, 0);

        assertThat(cache.entry(KEY)).isEqualTo(free(2));
        assertThat(cache.get(KEY)).extracting(ObservedEntry::asked).isEqualTo(0L);
        assertThat(cache.note(KEY, stored(held(3)), 1, 6, 0).entry()).isEqualTo(held(3));
    }

    @Test
    void anEntryThatTheStoreFoundFreeBeforeALaterGrantChangesNothing() {
        cache.note(KEY, stored(held(2)), 3, 4, 0);
        cache.noteFreed(free(1), 5, 0);
        assertThat(cache.entry(KEY)).isEqualTo(held(2));

        cache.noteFreed(free(3), 6, 0);
        assertThat(cache.entry(KEY))
                .as("the release of a grant that was never seen")
                .isEqualTo(free(3));
    }

    private static Entry free(int number) {
        return held(number).freed(PipelineScene.version(100 + number));
    }
}
