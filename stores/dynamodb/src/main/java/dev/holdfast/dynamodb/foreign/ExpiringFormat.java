package dev.holdfast.dynamodb.foreign;

import dev.holdfast.LeaseState;
import dev.holdfast.StoreFeature;
import dev.holdfast.Term;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What the formats share that write down when a lease ends, in whole seconds by the clock of whoever wrote it. */
abstract class ExpiringFormat implements ForeignFormat {
    /** Of clocks against each other, unless the URL says otherwise. */
    static final Duration SKEW = Duration.ofSeconds(5);

    /** Less could not be told from the service's answers, which name whole seconds. */
    static final Duration LEAST_SKEW = Duration.ofSeconds(3);

    /** Nothing but the lease itself survives a grant by these tools. */
    static final Set<StoreFeature> LACKING = Set.copyOf(EnumSet.of(
            StoreFeature.FENCE,
            StoreFeature.FENCE_OF_DELETED,
            StoreFeature.DONE,
            StoreFeature.ATTRIBUTES,
            StoreFeature.ANCHORS,
            StoreFeature.CLEAN_UP));

    /** When a lease that is written now ends: never earlier than its term says. */
    static long expirySeconds(Entry next, Instant now) {
        Term term = Objects.requireNonNull(next.grant()).term();
        Instant end = now.plus(term.duration());
        return end.getNano() == 0 ? end.getEpochSecond() : end.getEpochSecond() + 1;
    }

    static boolean isHeld(Entry next) {
        return next.state() == LeaseState.HELD && next.grant() != null;
    }

    /** The token of the last grant while it holds; else an id that nobody has. */
    static AttributeValue proof(Entry next) {
        Grant grant = isHeld(next) ? next.grant() : null;
        return AttributeValue.fromS(
                grant == null ? next.version().toString() : grant.token().secret());
    }

    static AttributeValue number(long value) {
        return AttributeValue.fromN(String.valueOf(value));
    }

    /** The rest of a lease whose term the other tool did not record. */
    static Term remaining(@Nullable Instant expiresAt, Instant now) {
        Duration rest = Duration.between(now, Objects.requireNonNull(expiresAt));
        return Term.ofUnknownLength(ForeignValues.term(rest).duration());
    }
}
