package dev.holdfast.sim.check;

import dev.holdfast.sim.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All checkers of a run. The first violation ends it. */
public final class Checks {
    private final World world;
    private final List<Checker> checkers = new ArrayList<>();
    private final UnitExclusion units;
    private @Nullable Violation violation;

    public Checks(World world) {
        this.world = world;
        world.whenRunaway(message -> violated("6, a run ends", message));
        if (Boolean.getBoolean("sim.trace")) {
            checkers.add(new Trace(world));
        }
        checkers.add(new Exclusion(this));
        checkers.add(new FenceOrder(this));
        checkers.add(new DoneOnce(this));
        checkers.add(new Acknowledgements(this));
        checkers.add(new LossTold(this, world));
        checkers.add(new Progress(this, world));
        checkers.add(new FreshAnswers(this, world));
        checkers.add(new Deadlines(this));
        checkers.add(new UpdatesOnce(this));
        checkers.add(new OwnGrants(this));
        checkers.add(new UndeliveredGrants(this, world));
        units = new UnitExclusion(this, world);
        checkers.add(units);
    }

    /** Units may be taken from live workers by force, who must know within this time. */
    public void unitsMayBeStolen(Duration toldWithin) {
        units.mayBeStolen(toldWithin);
    }

    /** What went wrong, and when. */
    public record Violation(String invariant, String what, long atNanos) {
        @Override
        public String toString() {
            return String.format("at %.3f s: %s: %s", atNanos / 1e9, invariant, what);
        }
    }

    /** Adds a checker that only some scenarios have something for. */
    public void add(Checker checker) {
        checkers.add(checker);
    }

    public void tell(Consumer<Checker> event) {
        if (violation == null) {
            checkers.forEach(event);
        }
    }

    public void violated(String invariant, String what) {
        if (violation == null) {
            violation = new Violation(invariant, what, world.nowNanos());
            world.stop();
        }
    }

    public Optional<Violation> violation() {
        return Optional.ofNullable(violation);
    }
}
