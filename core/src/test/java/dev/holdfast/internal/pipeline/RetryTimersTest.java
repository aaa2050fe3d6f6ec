package dev.holdfast.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.support.ClientClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryTimersTest {
    private static final Duration DELAY = Duration.ofSeconds(1);

    private final StillEnvironment environment = new StillEnvironment();
    private final RetryTimers timers = new RetryTimers(environment);
    private final List<String> events = new ArrayList<>();

    private void pause() {
        timers.pause(DELAY, () -> events.add("resumed"), error -> events.add("aborted: " + error.getMessage()));
    }

    @Test
    void aPausedRequestIsResumedOnce() {
        pause();

        environment.advance(DELAY.minusNanos(1));
        assertThat(events).isEmpty();
        environment.advance(DELAY);
        timers.close();

        assertThat(events).containsExactly("resumed");
    }

    @Test
    void closingAbortsEveryPausedRequest() {
        pause();
        pause();

        timers.close();
        environment.advance(DELAY.multipliedBy(2));

        String aborted = "aborted: " + ClientClosedException.underWay().getMessage();
        assertThat(events).containsExactly(aborted, aborted);
    }

    @Test
    void aRequestThatPausesAfterClosingIsAbortedImmediately() {
        timers.close();

        pause();

        assertThat(events).hasSize(1);
        environment.advance(DELAY);
        assertThat(events).singleElement().asString().startsWith("aborted");
    }
}
