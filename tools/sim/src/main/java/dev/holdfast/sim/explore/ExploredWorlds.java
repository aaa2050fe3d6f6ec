package dev.holdfast.sim.explore;

import dev.holdfast.rules.DecisionRules;
import dev.holdfast.rules.ExpiryRules;
import dev.holdfast.rules.FenceRules;
import dev.holdfast.rules.HistoryRules;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.rules.SettlementRules;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.sim.explore.ScheduleSearch.SearchResult;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The worlds that are explored, and the program that explores them. */
public final class ExploredWorlds {
    /** The worlds of every build. */
    public static final List<WorldBounds> SMALL = List.of(
            lock(2, 1, true, 0).with(3, 3).faults(1, 0, 0),
            lock(2, 1, false, 0).with(3, 3).faults(1, 0, 0),
            lock(2, 1, true, 0).with(3, 3).faults(0, 1, 1),
            lock(2, 1, true, 1).with(2, 5).finely(),
            lock(2, 1, false, 1).with(2, 5).finely(),
            lock(3, 1, true, 0).with(3, 3),
            lock(2, 2, true, 0).with(3, 3),
            lock(2, 1, true, 0).with(3, 1).faults(1, 1, 0).evictions(1),
            lock(2, 1, true, 0).underAnAnchor().with(4, 3),
            lock(2, 1, true, 0).underAnAnchor().with(4, 2).evictions(1));

    /** The larger worlds of a long run. */
    public static final List<WorldBounds> LARGE = List.of(
            lock(2, 1, true, 0).with(3, 3).faults(1, 1, 1),
            lock(2, 1, false, 0).with(3, 3).faults(1, 1, 1),
            lock(2, 1, true, 0).with(4, 3).faults(1, 0, 0),
            lock(2, 1, false, 0).with(4, 3).faults(1, 0, 0),
            lock(2, 1, true, 1).with(3, 5).finely(),
            lock(2, 1, false, 1).with(3, 5).finely(),
            lock(2, 1, false, 1).with(3, 4).finely().faults(0, 0, 1),
            lock(3, 1, true, 0).with(4, 3),
            lock(3, 1, false, 1).with(3, 3).faults(1, 0, 0),
            lock(2, 2, true, 0).with(4, 3),
            lock(2, 1, true, 0).underAnAnchor().with(4, 3).faults(1, 0, 0),
            lock(2, 1, false, 0).underAnAnchor().with(5, 3));

    private static final long MOST_STATES = 60_000_000;

    private ExploredWorlds() {}

    private static WorldBounds lock(int clients, int keys, boolean storeHasClock, int slowClients) {
        return new WorldBounds(clients, keys, false, storeHasClock, slowClients, 0, 0, false, 0, 0, 0, 0);
    }

    /** The shipped rules. Histories are left out: they are no part of the invariants, and make the search slower. */
    public static RuleSet rules() {
        ExpiryRules expiry = new ExpiryRules(Duration.ZERO);
        FenceRules fences = new FenceRules();
        DecisionRules decisions = new DecisionRules(expiry, fences, new HistoryRules(0));
        return new RuleSet(decisions, expiry, new ValidityRules(), new SettlementRules(fences));
    }

    /** Explores the small worlds, or with {@code --large} the large ones, and prints one line each. */
    public static void main(String[] arguments) {
        boolean large = List.of(arguments).contains("--large");
        long states = 0;
        long transitions = 0;
        for (WorldBounds bounds : large ? LARGE : SMALL) {
            long begun = System.nanoTime();
            SearchResult result = new ScheduleSearch(bounds, rules(), MOST_STATES).run();
            states += result.states();
            transitions += result.transitions();
            System.out.printf(
                    Locale.ROOT,
                    "%s: %,d states, %,d steps, depth %d, %s, %.1f s%n",
                    bounds,
                    result.states(),
                    result.transitions(),
                    result.depth(),
                    !result.violation().isEmpty() ? "VIOLATED" : result.complete() ? "complete" : "cut off",
                    (System.nanoTime() - begun) / 1e9);
            if (!result.violation().isEmpty()) {
                System.out.println(result.violation());
                result.story().forEach(step -> System.out.println("  " + step));
                System.exit(1);
            }
        }
        System.out.printf(Locale.ROOT, "%,d states, %,d steps, no violation%n", states, transitions);
    }
}
