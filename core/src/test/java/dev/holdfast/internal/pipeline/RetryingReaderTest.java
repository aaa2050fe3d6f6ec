package dev.holdfast.internal.pipeline;

import static dev.holdfast.internal.pipeline.PipelineScene.KEY;
import static dev.holdfast.internal.pipeline.PipelineScene.held;
import static dev.holdfast.internal.pipeline.PipelineScene.stored;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RetryingReaderTest {
    private final PipelineScene scene = new PipelineScene();
    private final RetryingReader reader = scene.pipeline.reads();

    @Test
    void aLatePageDoesNotHideANewerRead() {
        var page = reader.observe(EntryScan.of("jobs", 10));
        var read = reader.read(Set.of(KEY));

        scene.store.reads.get(0).complete(List.of(Optional.of(stored(held(2)))));
        scene.store.scans.get(0).complete(new ScanPage(List.of(stored(held(1))), null));

        assertThat(page).isCompleted();
        assertThat(read).isCompleted();
        assertThat(requireNonNull(scene.pipeline.cache().get(KEY)).entry()).isEqualTo(held(2));
    }

    @Test
    void aPageThatWasRequestedLaterReplacesAnOlderRead() {
        var read = reader.read(Set.of(KEY));
        scene.store.reads.get(0).complete(List.of(Optional.of(stored(held(1)))));

        var page = reader.observe(EntryScan.of("jobs", 10));
        scene.store.scans.get(0).complete(new ScanPage(List.of(stored(held(2))), null));

        assertThat(page).isCompleted();
        assertThat(read).isCompleted();
        assertThat(requireNonNull(scene.pipeline.cache().get(KEY)).entry()).isEqualTo(held(2));
    }
}
