package dev.holdfast.sim;

import dev.holdfast.sim.Simulation.Outcome;
import dev.holdfast.sim.explore.ExploredWorlds;
import dev.holdfast.sim.fleet.FleetScenarios;
import dev.holdfast.sim.fleet.LabelScenarios;
import dev.holdfast.sim.scenario.ScenarioList;
import dev.holdfast.sim.scenario.SimulationScenario;
import dev.holdfast.sim.world.EventTally;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A program that runs every scenario with {@code sim.seeds} seeds, starting at {@code sim.from}. With {@code sim.seed}
 * it runs only that seed. {@code sim.scenario=NAME} runs only that scenario, {@code sim.fleet=true} the fleet
 * scenarios, and {@code sim.trace=true} prints every event.
 */
public final class SimulationSoak {
    private static final long SEEDS = 400;

    private final List<? extends SimulationScenario> scenarios;
    private final EventTally total = new EventTally();
    private final AtomicLong violations = new AtomicLong();

    private SimulationSoak(List<? extends SimulationScenario> scenarios) {
        this.scenarios = scenarios;
    }

    public static void main(String[] arguments) {
        if (Boolean.getBoolean("sim.explore")) {
            ExploredWorlds.main(new String[] {"--large"});
            return;
        }
        SimulationSoak soak = new SimulationSoak(scenarios());
        Long one = Long.getLong("sim.seed");
        long seeds = one != null ? 1 : Long.getLong("sim.seeds", SEEDS);
        long from = one != null ? one : Long.getLong("sim.from", 1);
        soak.run(from, seeds);
        System.out.println(soak.summary(seeds));
        if (soak.violations.get() > 0) {
            System.exit(1);
        }
    }

    private static List<? extends SimulationScenario> scenarios() {
        String name = System.getProperty("sim.scenario");
        boolean fleet = Boolean.getBoolean("sim.fleet");
        if (name == null) {
            return fleet ? fleetScenarios() : ScenarioList.all();
        }
        return List.of(fleet ? fleetScenario(name) : ScenarioList.named(name));
    }

    /** The scenarios of fleets. */
    public static List<SimulationScenario> fleetScenarios() {
        return Stream.<SimulationScenario>concat(Stream.of(FleetScenarios.values()), Stream.of(LabelScenarios.values()))
                .toList();
    }

    private static SimulationScenario fleetScenario(String name) {
        return fleetScenarios().stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("scenario: " + name + " (expected: a fleet scenario)"));
    }

    /** The command that replays a run. */
    public static String replay(SimulationScenario scenario, long seed) {
        String replay =
                "mvn -q -pl tools/sim -am -Psoak verify -Dsim.scenario=" + scenario.name() + " -Dsim.seed=" + seed;
        return scenario instanceof Enum ? replay + " -Dsim.fleet=true" : replay;
    }

    private void run(long from, long seeds) {
        LongStream.range(0, seeds * scenarios.size()).parallel().forEach(run -> {
            SimulationScenario scenario = scenarios.get((int) (run % scenarios.size()));
            runOne(scenario, from + run / scenarios.size());
        });
    }

    private void runOne(SimulationScenario scenario, long seed) {
        Outcome outcome = Simulation.run(seed, scenario, SimulatedVariant.REAL);
        synchronized (total) {
            total.add(outcome.tally());
        }
        if (outcome.violation() != null) {
            violations.incrementAndGet();
            System.out.println("seed " + seed + " (" + scenario.name() + ") " + outcome.violation());
            System.out.println("  replay: " + replay(scenario, seed));
        }
    }

    private String summary(long seeds) {
        return "sim: scenarios=" + scenarios.size() + " seeds=" + seeds + " " + total + " violations=" + violations;
    }
}
