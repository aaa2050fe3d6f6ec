package dev.holdfast.fleet.internal.callback;

import dev.holdfast.fleet.Unit;
import java.util.List;

/** The way a worker calls the user's code. Neither method throws or blocks. */
public interface UnitCalls {
    UserCall assigned(Unit unit);

    /** Returns one call per unit, in the same order. Units that are stopped together share a call. */
    List<UserCall> revoked(List<Unit> units);
}
