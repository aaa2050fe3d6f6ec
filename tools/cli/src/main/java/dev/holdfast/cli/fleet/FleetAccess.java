package dev.holdfast.cli.fleet;

import dev.holdfast.Leases;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.config.StoreOpener;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetBuilder;
import dev.holdfast.fleet.FleetControl;
import dev.holdfast.fleet.FleetStatus;
import dev.holdfast.fleet.Units;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Access to a fleet on the selected store. A fleet has a planner, except on a table shared with workers of a8m/lease or
 * the Kinesis Client Library. There the fleet is the whole table, and its name is only a label.
 */
final class FleetAccess {
    private static final Duration DEFAULT_TERM = Duration.ofSeconds(10);

    /** Namespace of a fleet without a planner: its units are keys without a namespace. */
    private static final String NO_NAMESPACE = "";

    /** How long other workers wait before they take the units of a dead one; null if the fleet has a planner. */
    private final @Nullable Duration expireAfter;

    /** @param store the URL of the store */
    FleetAccess(String store) {
        this.expireAfter = StoreOpener.workersExpireAfter(store).orElse(null);
    }

    /** Rejects an option that needs a planner or Holdfast's own table layout. */
    void requirePlanner(boolean given, String option) {
        if (given && expireAfter != null) {
            throw CommandFailure.usage(option + ": layout kcl (expected: no " + option
                    + ", because workers of another tool share the table)");
        }
    }

    /** Rejects a command that needs a planner. */
    void requirePlannerFor(String command) {
        if (expireAfter != null) {
            throw CommandFailure.usage("fleet " + command + ": layout kcl (expected: a store of Holdfast's own layout,"
                    + " because workers of another tool share the table, and no planner places its units)");
        }
    }

    /**
     * The term of a worker. It must not be longer than {@code expire=}, because others then take the worker's units.
     */
    Duration term(@Nullable Duration given) {
        if (expireAfter == null) {
            return given == null ? DEFAULT_TERM : given;
        }
        if (given != null && given.compareTo(expireAfter) > 0) {
            throw CommandFailure.usage("term: " + given + " (expected: <= " + expireAfter
                    + ", which is expire= in the URL: workers of another tool take units after that time)");
        }
        return given == null ? expireAfter : given;
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

    FleetControl control(Leases leases, String fleet) {
        return Fleet.control(leases, fleet);
    }

    FleetStatus status(Leases leases, String fleet) {
        return expireAfter == null
                ? Fleet.status(leases, fleet)
                : Fleet.statusWithoutPlanner(leases, fleet, NO_NAMESPACE);
    }
}
