package dev.holdfast.fleet.internal.callback;

import dev.holdfast.fleet.Unit;
import java.util.List;

/** How a worker calls its user's code. Neither method throws or blocks. */
public interface UnitCalls {
    UserCall assigned(Unit unit);

    /** A call for each unit, in their order; the same one for units that are stopped together. */
    List<UserCall> revoked(List<Unit> units);
}
