package dev.holdfast.sim.check;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.sim.world.SimProcess;
import java.time.Duration;

/** A process that may consider itself the holder of a key. */
public interface PossibleHolder {
    Key key();

    SimProcess process();

    Fence fence();

    /** The time for which the lease is valid by the process's own clocks. Zero after a crash. */
    Duration remaining();

    /** Whether the process has given up the lease for good, or has been notified of its loss. */
    boolean isOver();

    /** Whether the lease is valid by the process's own clocks now. The check has no side effects. */
    boolean isValid();
}
