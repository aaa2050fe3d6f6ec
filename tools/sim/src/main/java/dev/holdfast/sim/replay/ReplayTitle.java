package dev.holdfast.sim.replay;

import org.jspecify.annotations.Nullable;

/**
 * The run that a page shows.
 *
 * @param bug the name of the planted bug; null if the real code runs
 */
record ReplayTitle(String scenario, long seed, @Nullable String bug) {
    String text() {
        return scenario + ", seed " + seed + (bug == null ? "" : ", planted bug " + bug);
    }

    /** The command that makes the page again. */
    String command() {
        return "./holdfast-sim replay --scenario " + scenario + " --seed " + seed + (bug == null ? "" : " --bug " + bug)
                + " --html out.html";
    }
}
