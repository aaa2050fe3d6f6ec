package dev.holdfast.chaos;

import dev.holdfast.chaos.resource.ProtectedFile;
import java.sql.SQLException;
import java.util.Map;

/** A condition that a run must reach before it ends. On a busy machine, the run goes on for longer. */
@FunctionalInterface
public interface RunGoal {
    /** The goal of a run that ends with its time. */
    RunGoal NONE = (calls, faults, resource) -> true;

    /** @param faults how often each kind of fault was struck */
    boolean isReached(long calls, Map<String, Integer> faults, ProtectedFile resource) throws SQLException;
}
