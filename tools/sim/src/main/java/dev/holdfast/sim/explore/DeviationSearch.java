package dev.holdfast.sim.explore;

import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.InvariantCheckers.InvariantViolation;
import dev.holdfast.sim.scenario.SimulationScenario;
import dev.holdfast.sim.world.FaultPlan;
import dev.holdfast.sim.world.FaultPlan.CallFault;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A search through all runs of a scenario with a bounded number of faults. The state of the real client cannot be copied, so
 * each run begins anew: first the run without faults, then the runs with one fault at each call, and so on. The runs with
 * fewer faults come first, so the first violation has the fewest.
 */
public final class DeviationSearch {
    private static final CallFault[] FAULTS = CallFault.values();

    private final SimulationScenario scenario;
    private final SimulatedVariant variant;
    private final long seed;
    private final AtomicLong runs = new AtomicLong();

    public DeviationSearch(SimulationScenario scenario, SimulatedVariant variant, long seed) {
        this.scenario = scenario;
        this.variant = variant;
        this.seed = seed;
    }

    /** A fault at a call, counted from 0. */
    public record Deviation(int call, CallFault fault) {}

    /**
     * The result of a search.
     *
     * @param faults the number of faults of the last complete round; all runs with as many faults, or fewer, were tried
     * @param violation null if there is none
     * @param by the faults that lead to it
     */
    public record DeviationResult(
            long runs, int faults, @Nullable InvariantViolation violation, List<Deviation> by) {}

    private record Tried(List<Deviation> deviations, int calls) {}

    private record Broken(InvariantViolation violation, List<Deviation> by) {}

    /** Tries all runs with up to {@code mostFaults} faults. */
    public DeviationResult run(int mostFaults) {
        AtomicReference<@Nullable Broken> broken = new AtomicReference<>();
        List<Tried> last = List.of(attempt(List.of(), broken));
        for (int faults = 1; faults <= mostFaults && broken.get() == null; faults++) {
            boolean isLast = faults == mostFaults;
            List<Tried> next = last.parallelStream()
                    .flatMap(tried -> extensions(tried).stream())
                    .filter(deviations -> broken.get() == null)
                    .map(deviations -> attempt(deviations, broken))
                    .filter(tried -> !isLast)
                    .toList();
            last = next;
        }
        Broken found = broken.get();
        return found == null
                ? new DeviationResult(runs.get(), mostFaults, null, List.of())
                : new DeviationResult(runs.get(), found.by().size() - 1, found.violation(), found.by());
    }

    /** One more fault, at a call after the last one. */
    private static List<List<Deviation>> extensions(Tried tried) {
        List<List<Deviation>> all = new ArrayList<>();
        List<Deviation> before = tried.deviations();
        int from = before.isEmpty() ? 0 : before.get(before.size() - 1).call() + 1;
        for (int call = from; call < tried.calls(); call++) {
            for (int fault = 1; fault < FAULTS.length; fault++) {
                List<Deviation> more = new ArrayList<>(before);
                more.add(new Deviation(call, FAULTS[fault]));
                all.add(more);
            }
        }
        return all;
    }

    private Tried attempt(List<Deviation> deviations, AtomicReference<@Nullable Broken> broken) {
        int[] calls = {0};
        FaultPlan plan = caller -> {
            int call = calls[0]++;
            for (Deviation deviation : deviations) {
                if (deviation.call() == call) {
                    return deviation.fault();
                }
            }
            return CallFault.NONE;
        };
        runs.incrementAndGet();
        InvariantViolation violation =
                Simulation.run(seed, scenario, variant, plan).violation();
        if (violation != null) {
            broken.compareAndSet(null, new Broken(violation, deviations));
        }
        return new Tried(deviations, calls[0]);
    }
}
