package dev.holdfast.sim.check;

import dev.holdfast.sim.world.SimWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All checkers of a run. The first violation ends it. */
public final class InvariantCheckers {
    private final SimWorld world;
    private final List<InvariantChecker> checkers = new ArrayList<>();
    private @Nullable InvariantViolation violation;

    public InvariantCheckers(SimWorld world) {
        this.world = world;
        world.whenRunaway(message -> violated("6, a run ends", message));
        if (Boolean.getBoolean("sim.trace")) {
            add(new SimulationTrace());
        }
        add(new MutualExclusion());
        add(new FenceMonotonicity());
        add(new DoneExactlyOnce());
        add(new AcknowledgedWrites());
        add(new LossReported());
        add(new EventualProgress());
        add(new FreshRefusals());
        add(new WaitDeadlines());
        add(new UpdatesAppliedOnce());
        add(new OwnGrantsOnly());
        add(new UndeliveredGrants());
    }

    /** A violated invariant, with its details and time. */
    public record InvariantViolation(String invariant, String details, long atNanos) {
        @Override
        public String toString() {
            return String.format("at %.3f s: %s: %s", atNanos / 1e9, invariant, details);
        }
    }

    /** Adds a checker, here or in the scenarios that need it. */
    public void add(InvariantChecker checker) {
        checker.watch(this);
        checkers.add(checker);
    }

    /** Reports an event to all checkers. */
    public void report(Consumer<InvariantChecker> event) {
        if (violation == null) {
            checkers.forEach(event);
        }
    }

    public void violated(String invariant, String details) {
        if (violation == null) {
            violation = new InvariantViolation(invariant, details, world.nowNanos());
            world.stop();
        }
    }

    public @Nullable InvariantViolation violation() {
        return violation;
    }

    long nowNanos() {
        return world.nowNanos();
    }
}
