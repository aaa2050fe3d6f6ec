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
 * sim.seed}, that one seed. {@code sim.trace=true} tells all that happens.
 *
 * <p>{@code sim.fleet=true} plays the scenarios of fleets instead, and each of them with every seed; {@code sim.scenario}
 * names the only one to play.
 */
public final class Soak {
    private final Tally total = new Tally();
    private final AtomicLong runs = new AtomicLong();
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
    public static String replayFleet(long seed, FleetScenarios scenario) {
        return replay(seed) + " -Dsim.fleet=true -Dsim.scenario=" + scenario;
    }

    private void run(long from, long seeds) {
        LongStream.range(from, from + seeds).parallel().forEach(this::runOne);
    }

    private void runOne(long seed) {
        if (Boolean.getBoolean("sim.fleet")) {
            FleetScenarios.named(System.getProperty("sim.scenario", ""))
                    .forEach(scenario -> play(seed, scenario, replayFleet(seed, scenario)));
        } else {
            play(seed, Scenarios.ofSeed(seed), replay(seed));
        }
    }

    private void play(long seed, Scenario scenario, String replay) {
        Outcome outcome = Simulation.run(seed, scenario, Variant.REAL);
        runs.incrementAndGet();
        synchronized (total) {
            total.add(outcome.tally());
        }
        if (outcome.violation() != null) {
            violations.incrementAndGet();
            System.out.println("seed " + seed + " (" + scenario.name() + ") " + outcome.violation());
            System.out.println("  replay: " + replay);
        }
    }

    private String summary(long seeds) {
        return "sim: seeds=" + seeds + " runs=" + runs + " " + total + " violations=" + violations;
    }
}
