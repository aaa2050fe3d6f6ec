package dev.holdfast.sim.replay;

import dev.holdfast.sim.replay.RecordedStep.StepKind;
import dev.holdfast.sim.world.SimWorld;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All that was recorded of a run, within bounds: of each kind only the last {@link ReplayWindow#STEPS_MAX}. */
final class RunLog {
    /** The lane of the store. */
    static final String STORE = "store";

    private final ReplayWindow window;
    private final Set<String> lanes = new LinkedHashSet<>();
    private final Deque<RecordedStep> steps = new ArrayDeque<>();
    private final Map<Long, RecordedMessage> messages = new BoundedMap<>(ReplayWindow.STEPS_MAX);
    private final Deque<RecordedSpan> faults = new ArrayDeque<>();
    private final Deque<RecordedSpan> terms = new ArrayDeque<>();
    private final Deque<RecordedSpan> stored = new ArrayDeque<>();
    private @Nullable SimWorld world;
    private long endNanos = Long.MAX_VALUE;
    private long dropped;

    RunLog(ReplayWindow window) {
        this.window = window;
    }

    ReplayWindow window() {
        return window;
    }

    void setWorld(SimWorld newWorld) {
        world = newWorld;
    }

    /**
     * Ends the log at a violation. The scenario goes on after it, but no event runs any more, and the world's time jumps.
     */
    void end(long atNanos) {
        endNanos = atNanos;
        steps.removeIf(step -> step.atNanos() > atNanos);
    }

    /** The virtual time, or the time of the violation after it. */
    long nowNanos() {
        return world == null ? 0 : Math.min(world.nowNanos(), endNanos);
    }

    void addLane(String name) {
        lanes.add(name);
    }

    void step(String lane, StepKind kind, List<String> keys, String caption) {
        step(lane, kind, keys, 0, caption);
    }

    void step(String lane, StepKind kind, List<String> keys, long message, String caption) {
        if (window.mayShow(nowNanos())) {
            dropped += bounded(steps, new RecordedStep(nowNanos(), lane, kind, keys, message, caption));
        }
    }

    void message(RecordedMessage message) {
        messages.put(message.number, message);
    }

    void fault(RecordedSpan span) {
        bounded(faults, span);
    }

    void term(RecordedSpan span) {
        bounded(terms, span);
    }

    void stored(RecordedSpan span) {
        bounded(stored, span);
    }

    private static <T> int bounded(Deque<T> all, T newest) {
        all.add(newest);
        if (all.size() <= ReplayWindow.STEPS_MAX) {
            return 0;
        }
        all.remove();
        return 1;
    }

    /** The number of steps that did not fit. */
    long dropped() {
        return dropped;
    }

    Set<String> lanes() {
        return lanes;
    }

    List<RecordedStep> steps() {
        return new ArrayList<>(steps);
    }

    @Nullable
    RecordedMessage message(long number) {
        return messages.get(number);
    }

    List<RecordedMessage> messages() {
        return new ArrayList<>(messages.values());
    }

    Deque<RecordedSpan> faults() {
        return faults;
    }

    Deque<RecordedSpan> terms() {
        return terms;
    }

    Deque<RecordedSpan> stored() {
        return stored;
    }
}
