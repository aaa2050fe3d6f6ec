package dev.holdfast.fleet;

import java.util.List;

/**
 * Thrown if a request needs all joined workers to know a feature, and some do not. Any worker may become the planner, and
 * a planner of an older version would ignore the feature. Nothing was changed.
 */
public final class OlderWorkersException extends IllegalStateException {
    /** Names beyond this number are only counted in the message. */
    private static final int SHOWN = 5;

    private static final long serialVersionUID = 1L;

    private final List<String> workers;

    /** @param feature the feature, as in "required labels" */
    public OlderWorkersException(String fleet, String feature, List<String> workers) {
        super(feature + ": workers of fleet " + fleet + " are of an older version or have only just joined: "
                + shown(workers) + " (expected: all workers updated)");
        this.workers = List.copyOf(workers);
    }

    private static String shown(List<String> workers) {
        String names = String.join(", ", workers.subList(0, Math.min(SHOWN, workers.size())));
        return workers.size() > SHOWN ? names + " and " + (workers.size() - SHOWN) + " more" : names;
    }

    /** Returns the workers that do not know the feature. */
    public List<String> workers() {
        return workers;
    }
}
