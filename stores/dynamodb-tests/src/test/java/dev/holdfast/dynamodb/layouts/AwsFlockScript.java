package dev.holdfast.dynamodb.layouts;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Script that uses awsflock without waiting, with its conditions: the lease id, and five seconds of grace. */
final class AwsFlockScript extends Tool {
    private static final long GRACE_SECONDS = 5;

    private final String owner;
    private final Supplier<Instant> clock;

    AwsFlockScript(ForeignTable table, String owner, Supplier<Instant> clock) {
        super(table);
        this.owner = owner;
        this.clock = clock;
    }

    private static Map<String, AttributeValue> key(String lock) {
        return Map.of("lock_id", text(lock));
    }

    /** Returns the lease id; empty if another client holds the lock. */
    Optional<String> acquire(String lock, long seconds) {
        String lease = UUID.randomUUID().toString();
        Map<String, AttributeValue> item = with(
                key(lock),
                Map.of(
                        "lease_id", text(lease),
                        "lease_duration", number(seconds),
                        "owner", text(owner),
                        "expiration_time", number(clock.get().getEpochSecond() + seconds)));
        if (put(item, "attribute_not_exists(lock_id)", Map.of())) {
            return Optional.of(lease);
        }
        Map<String, AttributeValue> seen = table.item(lock);
        boolean expired = !seen.isEmpty()
                && number(seen, "expiration_time") + GRACE_SECONDS < clock.get().getEpochSecond();
        boolean reclaimed = expired && put(item, "lease_id = :seen", Map.of(":seen", text(text(seen, "lease_id"))));
        return reclaimed ? Optional.of(lease) : Optional.empty();
    }

    /** Returns the next lease id; empty if the lock is lost. */
    Optional<String> renew(String lock, String lease) {
        String next = UUID.randomUUID().toString();
        long seconds = number(table.item(lock), "lease_duration");
        boolean renewed = update(
                key(lock),
                "SET lease_id = :next, expiration_time = :ends",
                "lease_id = :old",
                Map.of(
                        ":next", text(next),
                        ":ends", number(clock.get().getEpochSecond() + seconds),
                        ":old", text(lease)));
        return renewed ? Optional.of(next) : Optional.empty();
    }

    boolean release(String lock, String lease) {
        return delete(key(lock), "lease_id = :old", Map.of(":old", text(lease)));
    }
}
