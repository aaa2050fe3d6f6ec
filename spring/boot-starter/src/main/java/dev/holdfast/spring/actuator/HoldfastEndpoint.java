package dev.holdfast.spring.actuator;

import dev.holdfast.fleet.Fleet;
import dev.holdfast.spring.actuator.HoldfastReport.ElectionReport;
import dev.holdfast.spring.actuator.HoldfastReport.FleetReport;
import dev.holdfast.spring.actuator.HoldfastReport.StoreReport;
import dev.holdfast.spring.leadership.ElectionManager;
import dev.holdfast.spring.tracking.LeaseTracker;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** The endpoint {@code holdfast}: the leases that this instance holds and waits for, its elections and its fleets. No I/O. */
@Endpoint(id = "holdfast")
public class HoldfastEndpoint {
    private final LeaseTracker tracker;
    private final ElectionManager elections;
    private final ObjectProvider<Fleet> fleets;

    HoldfastEndpoint(LeaseTracker tracker, ElectionManager elections, ObjectProvider<Fleet> fleets) {
        this.tracker = tracker;
        this.elections = elections;
        this.fleets = fleets;
    }

    /** The state of this instance. */
    @ReadOperation
    public HoldfastReport report() {
        Map<String, StoreReport> stores = new TreeMap<>();
        tracker.clients().forEach(client -> stores.put(client.store(), StoreReport.of(client.registry())));
        Map<String, ElectionReport> contended = new TreeMap<>();
        elections
                .elections()
                .forEach((name, election) -> contended.put(
                        name,
                        election.leading()
                                .map(lease -> new ElectionReport(
                                        true, lease.hasFence() ? lease.fence().value() : null))
                                .orElse(new ElectionReport(false, null))));
        Map<String, FleetReport> joined = new TreeMap<>();
        fleets.stream().forEach(fleet -> joined.put(fleet.name(), FleetReport.of(fleet)));
        return new HoldfastReport(stores, contended, joined);
    }
}
