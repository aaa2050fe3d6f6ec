package dev.holdfast.dynamodb.layouts;

import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Worker of a8m/lease, with its conditions: owner and counter as last seen. An owner is dead if its counter is
 * unchanged.
 */
final class A8mWorker extends Tool {
    static final Duration EXPIRE_AFTER = Duration.ofSeconds(10);
    static final String NO_OWNER = "NULL";

    private static final String AS_SEEN = "leaseCounter = :seenCounter AND leaseOwner = :seenOwner";

    private final String name;
    private final HostEnvironment clock;
    private final Duration expireAfter;
    private final Map<String, Sighting> sightings = new HashMap<>();

    A8mWorker(ForeignTable table, String name, HostEnvironment clock) {
        this(table, name, clock, EXPIRE_AFTER);
    }

    A8mWorker(ForeignTable table, String name, HostEnvironment clock, Duration expireAfter) {
        super(table);
        this.name = name;
        this.clock = clock;
        this.expireAfter = expireAfter;
    }

    /** A lease as last seen. */
    record Lease(String key, String owner, long counter) {
        boolean isFree() {
            return owner.isEmpty() || owner.equals(NO_OWNER);
        }
    }

    private record Sighting(long counter, long sinceNanos) {}

    @Nullable
    Lease read(String key) {
        Map<String, AttributeValue> item = table.item(key);
        if (item.isEmpty()) {
            return null;
        }
        Lease lease = new Lease(key, text(item, "leaseOwner"), number(item, "leaseCounter"));
        Sighting before = sightings.get(key);
        if (before == null || before.counter() != lease.counter()) {
            sightings.put(key, new Sighting(lease.counter(), clock.nanos()));
        }
        return lease;
    }

    boolean isExpired(Lease seen) {
        Sighting since = sightings.get(seen.key());
        return since != null
                && since.counter() == seen.counter()
                && clock.nanos() - since.sinceNanos() > expireAfter.toNanos();
    }

    boolean create(String key) {
        return put(
                Map.of("leaseKey", text(key), "leaseOwner", text(name), "leaseCounter", number(1)),
                "attribute_not_exists(leaseKey) OR (leaseOwner = :me AND leaseCounter = :one)",
                Map.of(":me", text(name), ":one", number(1)));
    }

    @Nullable
    Lease created(String key) {
        return create(key) ? new Lease(key, name, 1) : null;
    }

    /** Returns the new lease; null if another worker was faster. */
    @Nullable
    Lease take(Lease seen) {
        return write(seen, name, seen.counter() + 1);
    }

    @Nullable
    Lease renew(Lease seen) {
        return write(seen, seen.owner(), seen.counter() + 1);
    }

    boolean evict(Lease seen) {
        return write(seen, NO_OWNER, seen.counter()) != null;
    }

    boolean delete(Lease seen) {
        return delete(
                Map.of("leaseKey", text(seen.key())),
                "attribute_not_exists(leaseKey) OR leaseOwner = :me",
                Map.of(":me", text(name)));
    }

    private @Nullable Lease write(Lease seen, String owner, long counter) {
        boolean written = update(
                Map.of("leaseKey", text(seen.key())),
                "SET leaseOwner = :owner, leaseCounter = :counter",
                AS_SEEN,
                Map.of(
                        ":owner",
                        text(owner),
                        ":counter",
                        number(counter),
                        ":seenOwner",
                        text(seen.owner()),
                        ":seenCounter",
                        number(seen.counter())));
        return written ? new Lease(seen.key(), owner, counter) : null;
    }
}
