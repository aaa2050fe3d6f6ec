package dev.holdfast.dynamodb;

import dev.holdfast.LeaseState;
import dev.holdfast.internal.rules.FenceRules;
import dev.holdfast.store.Entry;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * From when on DynamoDB may forget a key: a week after it was freed, created and its fence passed, whichever is last. By
 * then any clock gives a larger fence. What is held or done is never forgotten by itself.
 */
final class ItemExpiry {
    private ItemExpiry() {}

    static Optional<AttributeValue> of(Entry entry, Instant now) {
        if (entry.state() != LeaseState.FREE) {
            return Optional.empty();
        }
        Instant fence = Instant.EPOCH.plus(entry.fence().value(), ChronoUnit.MICROS);
        Instant last =
                Stream.of(now, fence, entry.createdAt()).max(Instant::compareTo).orElseThrow();
        // A full second more: what the service compares is whole seconds.
        return Optional.of(ItemAttribute.of(last.plus(FenceRules.IDLE_MIN).getEpochSecond() + 1));
    }
}
