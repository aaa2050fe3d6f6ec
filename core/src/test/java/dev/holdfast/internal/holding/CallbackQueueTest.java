package dev.holdfast.internal.holding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.internal.pipeline.StillEnvironment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallbackQueueTest {
    private final StillEnvironment environment = new StillEnvironment();
    private final Deque<Runnable> started = new ArrayDeque<>();
    private final List<String> ran = new ArrayList<>();
    private final CallbackQueue queue = new CallbackQueue(environment);

    @Test
    void callbacksOfALeaseRunOneAfterAnother() {
        environment.callbacks = started::add;
        queue.add(() -> ran.add("one"));
        queue.add(() -> ran.add("two"));
        queue.add(() -> ran.add("three"));

        assertThat(started).as("the others wait for the first").hasSize(1);
        started.remove().run();
        assertThat(ran).containsExactly("one");
        assertThat(started).hasSize(1);
        started.remove().run();
        started.remove().run();

        assertThat(ran).containsExactly("one", "two", "three");
        assertThat(started).isEmpty();
    }

    @Test
    void aQueueThatRanEmptyStartsAgain() {
        queue.add(() -> ran.add("one"));
        queue.add(() -> ran.add("two"));

        assertThat(ran).containsExactly("one", "two");
    }

    @Test
    void aCallbackThatFailsDoesNotStopTheNext() {
        environment.callbacks = started::add;
        queue.add(() -> {
            throw new IllegalStateException("a bug of the user");
        });
        queue.add(() -> ran.add("next"));

        assertThatIllegalStateException().isThrownBy(() -> started.remove().run());
        started.remove().run();

        assertThat(ran).containsExactly("next");
    }

    @Test
    void aCallbackThatCouldNotBeStartedRunsBeforeTheNext() {
        environment.callbacks = callback -> {
            throw new OutOfMemoryError("no thread");
        };
        queue.add(() -> ran.add("one"));
        assertThat(ran).isEmpty();

        environment.callbacks = Runnable::run;
        queue.add(() -> ran.add("two"));

        assertThat(ran).containsExactly("one", "two");
    }
}
