package dev.holdfast.internal.engine;

import static dev.holdfast.internal.engine.EngineScene.KEY;
import static dev.holdfast.internal.engine.EngineScene.held;
import static dev.holdfast.internal.engine.EngineScene.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SurveyTest {
    private final EngineScene scene = new EngineScene();
    private final Survey survey = new Survey(scene.engine, Duration.ofSeconds(10));

    @Test
    void aPageThatComesLateDoesNotHideWhatWasReadMeanwhile() {
        var page = survey.page(Scan.of("jobs", 10));
        var read = survey.get(KEY);

        scene.port.reads.get(0).complete(List.of(Optional.of(stored(held(2)))));
        scene.port.scans.get(0).complete(new Page(List.of(stored(held(1))), null));

        assertThat(page).isCompleted();
        assertThat(read).isCompleted();
        assertThat(scene.engine.lastSeen(KEY)).isEqualTo(held(2));
    }

    @Test
    void aPageThatWasAskedForLaterReplacesWhatWasReadBefore() {
        var read = survey.get(KEY);
        scene.port.reads.get(0).complete(List.of(Optional.of(stored(held(1)))));

        var page = survey.page(Scan.of("jobs", 10));
        scene.port.scans.get(0).complete(new Page(List.of(stored(held(2))), null));

        assertThat(page).isCompleted();
        assertThat(read).isCompleted();
        assertThat(scene.engine.lastSeen(KEY)).isEqualTo(held(2));
    }
}
