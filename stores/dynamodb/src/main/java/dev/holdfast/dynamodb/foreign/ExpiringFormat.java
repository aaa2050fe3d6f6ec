package dev.holdfast.dynamodb.foreign;

import dev.holdfast.LeaseState;
import dev.holdfast.StoreFeature;
import dev.holdfast.store.Term;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Base of the formats that store when a lease ends, in whole seconds by the clock of its writer. */
abstract class ExpiringFormat implements ForeignFormat {
    /** How far clocks may differ, unless the URL contains another value. */
    static final Duration SKEW = Duration.ofSeconds(5);

    /** A smaller skew cannot be verified by the service's responses, which contain whole seconds. */
    static final Duration LEAST_SKEW = Duration.ofSeconds(3);

    /** A grant by these tools keeps nothing but the lease itself. */
    static final Set<StoreFeature> LACKING = Set.copyOf(EnumSet.of(
            StoreFeature.FENCE,
            StoreFeature.FENCE_OF_DELETED,
            StoreFeature.DONE,
            StoreFeature.ATTRIBUTES,
            StoreFeature.ANCHORS,
            StoreFeature.CLEAN_UP));

    /** Returns when a lease that is written now ends: never earlier than its term. */
    static long expirySeconds(Entry next, Instant now) {
        Term term = Objects.requireNonNull(next.grant()).term();
        Instant end = now.plus(term.duration());
        return end.getNano() == 0 ? end.getEpochSecond() : end.getEpochSecond() + 1;
    }

    static boolean isHeld(Entry next) {
        return next.state() == LeaseState.HELD && next.grant() != null;
    }

    /** Returns the token of the last grant while it is held; otherwise an id that no client has. */
    static AttributeValue proof(Entry next) {
        Grant grant = isHeld(next) ? next.grant() : null;
        return AttributeValue.fromS(
                grant == null ? next.version().toString() : grant.token().secret());
    }

    static AttributeValue number(long value) {
        return AttributeValue.fromN(String.valueOf(value));
    }

    /** Returns the rest of a lease with a term that the other tool did not record. */
    static Term remaining(@Nullable Instant expiresAt, Instant now) {
        Duration rest = Duration.between(now, Objects.requireNonNull(expiresAt));
        return Term.ofUnknownLength(ForeignValues.term(rest).duration());
    }
}
