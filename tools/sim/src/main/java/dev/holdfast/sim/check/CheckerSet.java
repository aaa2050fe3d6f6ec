package dev.holdfast.sim.check;

import dev.holdfast.sim.fleet.UnitExclusion;
import dev.holdfast.sim.world.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All checkers of a run. The first violation ends it. */
public final class CheckerSet {
    private final SimWorld simWorld;
    private final List<InvariantChecker> checkers = new ArrayList<>();
    private final UnitExclusion units;
    private @Nullable Violation violation;

    public CheckerSet(SimWorld simWorld) {
        this.simWorld = simWorld;
        simWorld.whenRunaway(message -> violated("6, a run ends", message));
        if (Boolean.getBoolean("sim.trace")) {
            checkers.add(new RunTrace(simWorld));
        }
        checkers.add(new MutualExclusion(this));
        checkers.add(new FenceMonotonicity(this));
        checkers.add(new DoneExactlyOnce(this));
        checkers.add(new AcknowledgedWrites(this));
        checkers.add(new LossReported(this, simWorld));
        checkers.add(new EventualProgress(this, simWorld));
        checkers.add(new FreshRefusals(this, simWorld));
        checkers.add(new WaitDeadlines(this));
        checkers.add(new UpdatesAppliedOnce(this));
        checkers.add(new OwnGrantsOnly(this));
        checkers.add(new UndeliveredGrants(this, simWorld));
        units = new UnitExclusion(this, simWorld);
        checkers.add(units);
    }

    /**
     * Allows units to be taken from live workers by force.
     *
     * @param stopWithin the time within which the former worker must stop
     */
    public void unitsMayBeStolen(Duration stopWithin) {
        units.mayBeStolen(stopWithin);
    }

    /** A violated invariant, with its details and time. */
    public record Violation(String invariant, String what, long atNanos) {
        @Override
        public String toString() {
            return String.format("at %.3f s: %s: %s", atNanos / 1e9, invariant, what);
        }
    }

    /** Adds a checker that only some scenarios need. */
    public void add(InvariantChecker invariantChecker) {
        checkers.add(invariantChecker);
    }

    public void tell(Consumer<InvariantChecker> event) {
        if (violation == null) {
            checkers.forEach(event);
        }
    }

    public void violated(String invariant, String what) {
        if (violation == null) {
            violation = new Violation(invariant, what, simWorld.nowNanos());
            simWorld.stop();
        }
    }

    public Optional<Violation> violation() {
        return Optional.ofNullable(violation);
    }
}
