package dev.holdfast.dynamodb.layouts;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Client of TableTheory's lease package, with its conditions: expiry in whole seconds, by its own clock. */
final class TableTheoryClient extends Tool {
    private static final long TTL_BUFFER_SECONDS = 3600;

    private final Supplier<Instant> clock;

    TableTheoryClient(ForeignTable table, Supplier<Instant> clock) {
        super(table);
        this.clock = clock;
    }

    private static Map<String, AttributeValue> key(String pk, String sk) {
        return Map.of("pk", text(pk), "sk", text(sk));
    }

    Optional<String> acquire(String pk, Duration term) {
        return acquire(pk, "LOCK", term);
    }

    /** Returns the token; empty if the lease is held. */
    Optional<String> acquire(String pk, String sk, Duration term) {
        String token = UUID.randomUUID().toString();
        long now = clock.get().getEpochSecond();
        long ends = clock.get().plus(term).getEpochSecond();
        Map<String, AttributeValue> item = with(
                key(pk, sk),
                Map.of(
                        "lease_token", text(token),
                        "lease_expires_at", number(ends),
                        "ttl", number(ends + TTL_BUFFER_SECONDS)));
        boolean written =
                put(item, "attribute_not_exists(pk) OR lease_expires_at <= :now", Map.of(":now", number(now)));
        return written ? Optional.of(token) : Optional.empty();
    }

    boolean refresh(String pk, String token, Duration term) {
        long ends = clock.get().plus(term).getEpochSecond();
        return update(
                key(pk, "LOCK"),
                "SET lease_expires_at = :ends, #ttl = :ttl",
                "lease_token = :token AND lease_expires_at > :now",
                Map.of(
                        ":ends", number(ends),
                        ":ttl", number(ends + TTL_BUFFER_SECONDS),
                        ":token", text(token),
                        ":now", number(clock.get().getEpochSecond())));
    }

    /** A failed condition is not an error in TableTheory. */
    boolean release(String pk, String token) {
        return delete(key(pk, "LOCK"), "lease_token = :token", Map.of(":token", text(token)));
    }
}
