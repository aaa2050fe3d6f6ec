package dev.holdfast.dynamodb;

import dev.holdfast.internal.rules.Fences;
import dev.holdfast.model.Entry;
import dev.holdfast.model.State;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * From when on DynamoDB may forget a key: a week after it was freed, created and its fence passed, whichever is last. By
 * then any clock gives a larger fence. What is held or done is never forgotten by itself.
 */
final class Expiry {
    private Expiry() {}

    static Optional<AttributeValue> of(Entry entry, Instant now) {
        if (entry.state() != State.FREE) {
            return Optional.empty();
        }
        Instant fence = Instant.EPOCH.plus(entry.fence().value(), ChronoUnit.MICROS);
        Instant last =
                Stream.of(now, fence, entry.createdAt()).max(Instant::compareTo).orElseThrow();
        // A full second more: what the service compares is whole seconds.
        return Optional.of(Attribute.of(last.plus(Fences.IDLE_MIN).getEpochSecond() + 1));
    }
}
