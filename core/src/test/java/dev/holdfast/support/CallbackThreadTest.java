package dev.holdfast.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallbackThreadTest {
    private final List<String> events = new ArrayList<>();

    @Test
    void aTaskOutsideOfCallbacksRunsImmediately() {
        CallbackThread.afterwards(() -> events.add("task"));

        assertThat(events).containsExactly("task");
    }

    @Test
    void tasksRunAfterTheLastCallbackOfTheBatch() {
        CallbackThread.run(() -> {
            CallbackThread.run(() -> CallbackThread.afterwards(() -> events.add("first task")));
            CallbackThread.afterwards(() -> events.add("second task, outside: " + !CallbackThread.isUnderWay()));
            events.add("callbacks");
        });

        assertThat(events).containsExactly("callbacks", "first task", "second task, outside: true");
    }

    @Test
    void aTaskThatFailsDoesNotStopTheOthers() {
        CallbackThread.run(() -> {
            CallbackThread.afterwards(() -> {
                throw new AssertionError("planted");
            });
            CallbackThread.afterwards(() -> events.add("task"));
        });

        assertThat(events).containsExactly("task");
    }

    @Test
    void tasksRunAlsoAfterACallbackThatFails() {
        assertThatThrownBy(() -> CallbackThread.run(() -> {
                    CallbackThread.afterwards(() -> events.add("task"));
                    throw new IllegalStateException("planted");
                }))
                .hasMessage("planted");

        assertThat(events).containsExactly("task");
    }

    @Test
    void aTaskOfATaskRuns() {
        CallbackThread.run(() -> CallbackThread.afterwards(
                () -> CallbackThread.run(() -> CallbackThread.afterwards(() -> events.add("task")))));

        assertThat(events).containsExactly("task");
    }
}
