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
import org.junit.jupiter.api.Test;

class StatusReaderTest {
    private final PipelineScene scene = new PipelineScene();
    private final StatusReader statusReader = scene.pipeline.statuses();

    @Test
    void aLatePageDoesNotHideANewerRead() {
        var page = statusReader.page(EntryScan.of("jobs", 10));
        var read = statusReader.get(KEY);

        scene.store.reads.get(0).complete(List.of(Optional.of(stored(held(2)))));
        scene.store.scans.get(0).complete(new ScanPage(List.of(stored(held(1))), null));

        assertThat(page).isCompleted();
        assertThat(read).isCompleted();
        assertThat(requireNonNull(scene.pipeline.cache().get(KEY)).entry()).isEqualTo(held(2));
    }

    @Test
    void aPageThatWasRequestedLaterReplacesAnOlderRead() {
        var read = statusReader.get(KEY);
        scene.store.reads.get(0).complete(List.of(Optional.of(stored(held(1)))));

        var page = statusReader.page(EntryScan.of("jobs", 10));
        scene.store.scans.get(0).complete(new ScanPage(List.of(stored(held(2))), null));

        assertThat(page).isCompleted();
        assertThat(read).isCompleted();
        assertThat(requireNonNull(scene.pipeline.cache().get(KEY)).entry()).isEqualTo(held(2));
    }
}
