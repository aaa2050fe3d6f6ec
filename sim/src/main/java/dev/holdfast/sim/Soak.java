package dev.holdfast.sim;

import dev.holdfast.sim.Simulation.Outcome;
import dev.holdfast.sim.fleet.FleetScenarios;
import dev.holdfast.sim.scenario.Scenario;
import dev.holdfast.sim.scenario.Scenarios;
import dev.holdfast.sim.world.Tally;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Runs many seeds: {@code sim.seeds} of them from {@code sim.from} on, over all scenarios in turn; or, with {@code
 * sim.seed}, that one seed. {@code sim.fleet=true} plays what befalls fleets instead; {@code sim.trace=true} tells all
 * that happens.
 */
public final class Soak {
    private final Tally total = new Tally();
    private final AtomicLong violations = new AtomicLong();

    private Soak() {}

    public static void main(String[] arguments) {
        Soak soak = new Soak();
        Long one = Long.getLong("sim.seed");
        long seeds = one != null ? 1 : Long.getLong("sim.seeds", 2000);
        long from = one != null ? one : Long.getLong("sim.from", 1);
        soak.run(from, seeds);
        System.out.println(soak.summary(seeds));
        if (soak.violations.get() > 0) {
            System.exit(1);
        }
    }

    /** The one command that plays a seed again. */
    public static String replay(long seed) {
        return "mvn -q -pl sim -am -Psoak verify -Dsim.seed=" + seed;
    }

    /** The same for a seed of a fleet. */
    public static String replayFleet(long seed) {
        return replay(seed) + " -Dsim.fleet=true";
    }

    private void run(long from, long seeds) {
        LongStream.range(from, from + seeds).parallel().forEach(this::runOne);
    }

    private void runOne(long seed) {
        boolean fleet = Boolean.getBoolean("sim.fleet");
        Scenario scenario = fleet ? FleetScenarios.ofSeed(seed) : Scenarios.ofSeed(seed);
        Outcome outcome = Simulation.run(seed, scenario, Variant.REAL);
        synchronized (total) {
            total.add(outcome.tally());
        }
        if (outcome.violation() != null) {
            violations.incrementAndGet();
            System.out.println("seed " + seed + " (" + scenario.name() + ") " + outcome.violation());
            System.out.println("  replay: " + (fleet ? replayFleet(seed) : replay(seed)));
        }
    }

    private String summary(long seeds) {
        return "sim: seeds=" + seeds + " " + total + " violations=" + violations;
    }
}
