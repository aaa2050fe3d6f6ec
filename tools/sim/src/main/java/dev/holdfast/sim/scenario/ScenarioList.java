package dev.holdfast.sim.scenario;

import java.util.List;

/** The list of all scenarios, except those of fleets. */
public final class ScenarioList {
    private static final List<SimulationScenario> ALL = List.of(
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
            new ImportedRows(),
            new MarkedTransactions(),
            new MixedVersions());

    private ScenarioList() {}

    /** All scenarios; each is run with every seed. */
    public static List<SimulationScenario> all() {
        return ALL;
    }

    public static SimulationScenario named(String name) {
        return ALL.stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("scenario: " + name + " (expected: one of "
                        + ALL.stream().map(SimulationScenario::name).toList() + ")"));
    }
}
