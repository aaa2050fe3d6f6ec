package dev.holdfast.fleet;

import java.util.List;

/**
 * Thrown when an order is given to a fleet while workers of an older version are joined. If one of them became the
 * planner, it would ignore the order.
 */
public final class OldWorkersException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final List<String> workers;

    public OldWorkersException(String fleet, List<String> workers) {
        super("fleet " + fleet
                + ": workers of an older version are joined, and a planner among them would ignore this: "
                + String.join(", ", workers));
        this.workers = List.copyOf(workers);
    }

    /** Returns the names of these workers. */
    public List<String> workers() {
        return workers;
    }
}
