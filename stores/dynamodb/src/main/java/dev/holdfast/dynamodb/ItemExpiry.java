package dev.holdfast.dynamodb;

import dev.holdfast.LeaseState;
import dev.holdfast.rules.FenceRules;
import dev.holdfast.store.Entry;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Time from which DynamoDB may remove a free key. It is a week after the latest of three times: when the key was freed,
 * when it was created, and when the time of its fence passed. By then any clock gives a larger fence. Held and done
 * keys never expire by themselves.
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
        // One second more, because the service compares whole seconds.
        return Optional.of(ItemAttribute.of(last.plus(FenceRules.IDLE_MIN).getEpochSecond() + 1));
    }
}
