package dev.holdfast.spring.actuator;

import dev.holdfast.Lease;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.Unit;
import dev.holdfast.spring.tracking.HeldLeaseRegistry;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The leases, elections and fleets of this instance, as the endpoint shows them.
 *
 * @param stores by name
 * @param elections by name
 * @param fleets by name
 */
public record HoldfastReport(
        Map<String, StoreReport> stores, Map<String, ElectionReport> elections, Map<String, FleetReport> fleets) {
    /**
     * The leases of one store.
     *
     * @param held leases that this instance holds, the first 1,000 by key
     * @param heldCount how many it holds
     * @param waiting calls that wait for a key, the oldest 1,000
     */
    public record StoreReport(List<HeldReport> held, int heldCount, List<WaitingReport> waiting) {
        /** More would not fit into a response that people read. */
        private static final int MOST = 1_000;

        static StoreReport of(HeldLeaseRegistry registry) {
            List<Lease> held = registry.held();
            return new StoreReport(
                    held.stream().limit(MOST).map(HeldReport::of).toList(),
                    held.size(),
                    registry.waiting().stream()
                            .limit(MOST)
                            .map(call -> new WaitingReport(
                                    call.key().toString(),
                                    call.since().toString(),
                                    call.waitFor().toString()))
                            .toList());
        }
    }

    /**
     * A lease that this instance holds.
     *
     * @param fence null in a layout without fences
     * @param atRisk whether renewals fail, and less than a third of the term is left
     */
    public record HeldReport(
            String key,
            String namespace,
            String name,
            String holder,
            @Nullable Long fence,
            long termMillis,
            long remainingMillis,
            boolean atRisk) {
        static HeldReport of(Lease lease) {
            return new HeldReport(
                    lease.key().toString(),
                    lease.key().namespace(),
                    lease.key().name(),
                    lease.holder().name(),
                    lease.hasFence() ? lease.fence().value() : null,
                    lease.term().toMillis(),
                    lease.remaining().toMillis(),
                    HeldLeaseRegistry.isAtRisk(lease));
        }
    }

    /** A call that waits for a key. */
    public record WaitingReport(String key, String since, String waitFor) {}

    /**
     * An election.
     *
     * @param fence of the leadership; null if this instance does not lead
     */
    public record ElectionReport(boolean leader, @Nullable Long fence) {}

    /**
     * This instance as a worker of a fleet.
     *
     * @param reason why it is unhealthy; empty if it is healthy
     */
    public record FleetReport(String worker, boolean healthy, String reason, List<String> units) {
        static FleetReport of(Fleet fleet) {
            return new FleetReport(
                    fleet.worker(),
                    fleet.isHealthy(),
                    fleet.health().reason(),
                    fleet.held().stream().map(Unit::name).toList());
        }
    }
}
