package dev.holdfast.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlineTimerTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration ALMOST = SECOND.minusNanos(1);

    private final StillEnvironment environment = new StillEnvironment();
    private final DeadlineTimer timer = new DeadlineTimer(environment);
    private final List<String> ran = new ArrayList<>();

    private DeadlineTimer.Deadline after(Duration delay, String name) {
        return timer.watch(environment.nanos() + delay.toNanos(), () -> ran.add(name + " at " + environment.nanos()));
    }

    @Test
    void anActionRunsAtItsDeadlineAndNotBefore() {
        after(SECOND, "one");

        environment.advance(ALMOST);
        assertThat(ran).isEmpty();
        environment.advance(Duration.ofNanos(1));
        assertThat(ran).containsExactly("one at 1000000000");
    }

    @Test
    void aCancelledActionNeverRuns() {
        after(SECOND, "one").cancel();

        environment.advance(SECOND.multipliedBy(3));

        assertThat(ran).isEmpty();
    }

    @Test
    void actionsRunInTheOrderOfTheirDeadlines() {
        after(SECOND.multipliedBy(3), "third");
        after(SECOND, "first");
        after(SECOND.multipliedBy(2), "second");

        environment.advance(SECOND.multipliedBy(3));

        assertThat(ran).containsExactly("first at 1000000000", "second at 2000000000", "third at 3000000000");
    }

    @Test
    void actionsOfOneMomentRunInTheOrderOfTheirRegistration() {
        after(SECOND, "one");
        after(SECOND, "two");

        environment.advance(SECOND);

        assertThat(ran).containsExactly("one at 1000000000", "two at 1000000000");
    }

    @Test
    void oneTimerServesAll() {
        after(SECOND, "one");
        after(SECOND, "two");
        after(SECOND.multipliedBy(2), "three");
        assertThat(environment.timers()).isEqualTo(1);

        after(Duration.ofMillis(1), "earlier");
        assertThat(environment.timers()).as("the later one was cancelled").isEqualTo(1);
    }

    @Test
    void aPastDeadlineIsReachedImmediately() {
        environment.advance(SECOND);
        after(SECOND.negated(), "late");

        environment.advance(Duration.ZERO);

        assertThat(ran).containsExactly("late at 1000000000");
    }
}
