package dev.holdfast.sim.scenario;

import java.util.List;

/** All scenarios there are. */
public final class Scenarios {
    private static final List<Scenario> ALL = List.of(
            new LocksUnderChurn(),
            new OnceLedger(),
            new AnchoredWorkers(),
            new Stampede(),
            new LongPause(),
            new IdleKeys());

    private Scenarios() {}

    /** The scenario that a seed plays: each in turn. */
    public static Scenario ofSeed(long seed) {
        return ALL.get(Math.floorMod(seed, ALL.size()));
    }

    public static Scenario named(String name) {
        return ALL.stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("scenario: " + name + " (expected: one of "
                        + ALL.stream().map(Scenario::name).toList() + ")"));
    }
}
