package dev.holdfast.spring.fleets;

import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetBuilder;
import dev.holdfast.spring.FleetWork;
import dev.holdfast.spring.HoldfastSetupException;
import dev.holdfast.spring.weaving.StoreLookup;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.springframework.beans.factory.ObjectProvider;

/** The fleets of properties: each is joined with the {@link FleetWork} bean of its name. */
public final class FleetManager {
    private final Map<String, FleetPlan> plans;
    private final StoreLookup stores;
    private final ObjectProvider<FleetWork> works;
    private final Map<String, Fleet> fleets = new TreeMap<>();

    /**
     * The settings of a fleet.
     *
     * @param enabled whether this instance joins
     * @param store the name of the store; empty for the default one
     * @param settings sets the options of the builder
     */
    public record FleetPlan(boolean enabled, String store, Consumer<FleetBuilder> settings) {}

    public FleetManager(Map<String, FleetPlan> plans, StoreLookup stores, ObjectProvider<FleetWork> works) {
        this.plans = Map.copyOf(plans);
        this.stores = stores;
        this.works = works;
    }

    /** The fleet of this name. The first call joins it. */
    public synchronized Fleet open(String name) {
        return fleets.computeIfAbsent(name, this::join);
    }

    private Fleet join(String name) {
        FleetPlan plan = plan(name);
        FleetWork work = work(name);
        FleetBuilder builder = Fleet.of(stores.find(plan.store()), name)
                .onAssigned(work::assigned)
                .onRevoked(work::revoked);
        plan.settings().accept(builder);
        work.configure(builder);
        return builder.join();
    }

    private FleetPlan plan(String name) {
        FleetPlan plan = plans.get(name);
        if (plan == null) {
            throw new HoldfastSetupException(
                    "The fleet '" + name + "' is not configured.", "Set a property holdfast.fleets." + name + ".*.");
        }
        return plan;
    }

    private FleetWork work(String name) {
        List<FleetWork> found =
                works.stream().filter(work -> work.fleet().equals(name)).toList();
        if (found.size() != 1) {
            throw new HoldfastSetupException(
                    "The fleet '" + name + "' has " + found.size() + " beans of type FleetWork (expected: one).",
                    "Define one bean of type dev.holdfast.spring.FleetWork whose method fleet() returns '" + name
                            + "', or set holdfast.fleets." + name + ".enabled=false.");
        }
        return found.get(0);
    }

    /** Checks that each bean of work has its fleet, and each fleet its work. */
    public void check() {
        works.stream().map(FleetWork::fleet).forEach(this::plan);
        plans.forEach((name, plan) -> {
            if (plan.enabled()) {
                work(name);
            }
        });
    }

    /** Joins all fleets. */
    public void start() {
        plans.forEach((name, plan) -> {
            if (plan.enabled()) {
                open(name);
            }
        });
    }
}
