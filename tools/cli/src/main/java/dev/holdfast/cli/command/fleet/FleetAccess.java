package dev.holdfast.cli.command.fleet;

import dev.holdfast.Leases;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.store.StoreOpener;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetBuilder;
import dev.holdfast.fleet.FleetStatus;
import dev.holdfast.fleet.Units;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The way to a fleet on the store that was named: with a planner or, on a table that workers of a8m/lease or the Kinesis
 * Client Library share, without one. There the fleet is the whole table, and its name is for people only.
 */
final class FleetAccess {
    private static final Duration DEFAULT_TERM = Duration.ofSeconds(10);

    /** Of a fleet without a planner: its units are keys without a namespace. */
    private static final String NO_NAMESPACE = "";

    /** Null where the fleet has a planner. */
    private final @Nullable Duration expireAfter;

    private FleetAccess(@Nullable Duration expireAfter) {
        this.expireAfter = expireAfter;
    }

    static FleetAccess of(CommandContext commandContext) {
        return new FleetAccess(
                StoreOpener.workersExpireAfter(commandContext.settings().store())
                        .orElse(null));
    }

    /** Refuses an option that only a planner, or a store of our own, can honour. */
    void requirePlanner(boolean given, String option) {
        if (given && expireAfter != null) {
            throw CommandFailure.usage(
                    option + ": layout kcl (expected: no " + option + ", as workers of another tool share the table)");
        }
    }

    /** The term of a worker; others take its units after {@code expire}, so it must not be longer. */
    Duration term(@Nullable Duration said) {
        if (expireAfter == null) {
            return said == null ? DEFAULT_TERM : said;
        }
        if (said != null && said.compareTo(expireAfter) > 0) {
            throw CommandFailure.usage("term: " + said + " (expected: <= " + expireAfter
                    + ", which is expire= in the URL: workers of another tool take units after that time)");
        }
        return said == null ? expireAfter : said;
    }

    FleetBuilder worker(Leases leases, String fleet) {
        FleetBuilder builder = Fleet.of(leases, fleet);
        return expireAfter == null ? builder : builder.withoutPlanner(NO_NAMESPACE);
    }

    Units units(Leases leases, String fleet) {
        return expireAfter == null
                ? Fleet.units(leases, fleet)
                : Fleet.unitsWithoutPlanner(leases, fleet, NO_NAMESPACE);
    }

    FleetStatus status(Leases leases, String fleet) {
        return expireAfter == null
                ? Fleet.status(leases, fleet)
                : Fleet.statusWithoutPlanner(leases, fleet, NO_NAMESPACE);
    }
}
