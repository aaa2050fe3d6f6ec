package dev.holdfast.spring.actuator;

import dev.holdfast.EditResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.spring.leadership.ElectionManager;
import dev.holdfast.spring.tracking.LeaseTracker;
import dev.holdfast.spring.tracking.TrackedLeases;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/** The endpoint {@code holdfast} with operations that end leases. */
@Endpoint(id = "holdfast")
public class WritableHoldfastEndpoint extends HoldfastEndpoint {
    private final LeaseTracker tracker;

    WritableHoldfastEndpoint(LeaseTracker tracker, ElectionManager elections, ObjectProvider<Fleet> fleets) {
        super(tracker, elections, fleets);
        this.tracker = tracker;
    }

    /** The actions of {@link #end}. */
    public enum LeaseEnding {
        /** Releases a lease that this instance holds. Its work goes on, without the lease. */
        RELEASE,
        /** Takes the key from its holder, wherever that is: see {@link dev.holdfast.Leases#evict}. */
        EVICT
    }

    /**
     * Ends a lease.
     *
     * @param namespace by default the empty one
     * @param store by default the only store, or {@code default}
     * @param reason of an eviction, for its holder and for operators
     * @return whether the key was changed
     */
    @WriteOperation
    public Map<String, Object> end(
            LeaseEnding action,
            String name,
            @Nullable String namespace,
            @Nullable String store,
            @Nullable String reason) {
        TrackedLeases client = client(store);
        Key key = Key.of(namespace == null ? "" : namespace, name);
        boolean changed = switch (action) {
            case RELEASE -> release(client, key);
            case EVICT ->
                client.evict(key, reason == null ? "evicted through the actuator" : reason)
                        instanceof EditResult.Changed;
        };
        return Map.of("key", key.toString(), "action", action, "changed", changed);
    }

    private static boolean release(TrackedLeases client, Key key) {
        return client.registry().held().stream()
                .filter(lease -> lease.key().equals(key))
                .map(Lease::release)
                .reduce(false, Boolean::logicalOr);
    }

    private TrackedLeases client(@Nullable String store) {
        List<TrackedLeases> clients = tracker.clients();
        if (store == null && clients.size() == 1) {
            return clients.get(0);
        }
        String wanted = store == null ? "default" : store;
        return clients.stream()
                .filter(client -> client.store().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new InvalidEndpointRequestException(
                        "store: " + store + " (expected: the name of a store)", "unknown store"));
    }
}
