package dev.holdfast.spring.actuator;

import dev.holdfast.Lease;
import dev.holdfast.spring.tracking.LeaseTracker;
import dev.holdfast.spring.tracking.TrackedLeases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Looks at the leases held here, without any I/O. Down: renewals fail, and less than a third of a term is left. */
final class LeaseHealthIndicator implements HealthIndicator {
    /** A report with thousands of keys helps no operator. */
    private static final int MOST_KEYS = 20;

    private final LeaseTracker tracker;

    LeaseHealthIndicator(LeaseTracker tracker) {
        this.tracker = tracker;
    }

    @Override
    public Health health() {
        int held = 0;
        List<Lease> atRisk = new ArrayList<>();
        for (TrackedLeases client : tracker.clients()) {
            held += client.registry().held().size();
            atRisk.addAll(client.registry().atRisk());
        }
        Health.Builder health = Health.up().withDetail("held", held).withDetail("atRisk", atRisk.size());
        if (!atRisk.isEmpty()) {
            health.down().withDetail("problem", "leases at risk").withDetail("remaining", remaining(atRisk));
        }
        return health.build();
    }

    private static Map<String, String> remaining(List<Lease> atRisk) {
        Map<String, String> remaining = new LinkedHashMap<>();
        atRisk.stream()
                .limit(MOST_KEYS)
                .forEach(lease -> remaining.put(
                        lease.key().toString(),
                        lease.remaining().toMillis() + " ms of " + lease.term().toMillis() + " ms"));
        return remaining;
    }
}
