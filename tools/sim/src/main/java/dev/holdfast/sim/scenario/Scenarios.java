package dev.holdfast.sim.scenario;

import java.util.List;

/** All scenarios there are. */
public final class Scenarios {
    private static final List<Scenario> ALL = List.of(
            new LocksUnderChurn(),
            new OnceLedger(),
            new AnchoredWorkers(),
            new StampedeOnOneKey(),
            new LongPause(),
            new IdleKeys(),
            new BarredGrants(),
            new BusyClients(),
            new NotifiedWaiters(),
            new UnsteadyClocks(),
            new TokensAndEvictions(),
            new RelayedHolders(),
            new OnceRunners(),
            new LeaderChanges(),
            new ImportedRows());

    private Scenarios() {}

    /** Each of them is played with every seed. */
    public static List<Scenario> all() {
        return ALL;
    }

    public static Scenario named(String name) {
        return ALL.stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("scenario: " + name + " (expected: one of "
                        + ALL.stream().map(Scenario::name).toList() + ")"));
    }
}
