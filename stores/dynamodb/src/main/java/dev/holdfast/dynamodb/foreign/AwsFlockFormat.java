package dev.holdfast.dynamodb.foreign;

import static java.util.Objects.requireNonNull;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreFeature;
import dev.holdfast.Term;
import dev.holdfast.Token;
import dev.holdfast.dynamodb.UrlParameters;
import dev.holdfast.store.Entry;
import dev.holdfast.store.StoreDialect;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The table of awsflock: a lock is whoever's {@code lease_id} is in it, until {@code expiration_time}, and five seconds of
 * grace. The id changes with every renewal, so here the token does.
 *
 * <p>What is free is what has a duration of nothing and ended long ago: awsflock takes that at once, and the table's time
 * to live removes it.
 */
final class AwsFlockFormat extends ExpiringFormat {
    static final Set<String> PARAMETERS = Set.of("skew");

    private static final String KEY = "lock_id";
    private static final String LEASE = "lease_id";
    private static final String DURATION = "lease_duration";
    private static final String OWNER = "owner";
    private static final String EXPIRATION = "expiration_time";

    /** How long awsflock waits beyond an expiry. */
    private static final Duration GRACE = Duration.ofSeconds(5);
    /** An end is written in whole seconds, rounded down as awsflock does: one that is later makes it wait twice as long. */
    private static final Duration ROUNDING = Duration.ofSeconds(1);
    /** So long ago that no clock says otherwise, and not so long that the time to live ignores it (5 years). */
    private static final Duration LONG_AGO = Duration.ofHours(1);

    private final Duration skew;
    private final StoreDialect storeDialect;

    AwsFlockFormat(UrlParameters url) {
        this.skew = url.duration("skew", SKEW, LEAST_SKEW);
        EnumSet<StoreFeature> lacking = EnumSet.copyOf(LACKING);
        lacking.add(StoreFeature.NAMESPACES);
        lacking.add(StoreFeature.LASTING_TOKEN);
        // The grace of the others is what keeps a holder safe from clocks that are ahead of its own, and from the
        // rounding.
        Duration early = skew.plus(ROUNDING).minus(GRACE);
        Duration beyondGrace = early.isNegative() ? Duration.ZERO : early;
        this.storeDialect = StoreDialect.of("awsflock").without(lacking).expiring(beyondGrace);
    }

    @Override
    public StoreDialect dialect() {
        return storeDialect;
    }

    @Override
    public Duration step() {
        return skew.compareTo(GRACE) > 0 ? skew : GRACE;
    }

    @Override
    public Optional<Duration> skew() {
        return Optional.of(skew);
    }

    @Override
    public Optional<String> timeToLive() {
        return Optional.of(EXPIRATION);
    }

    @Override
    public List<String> keyNames() {
        return List.of(KEY);
    }

    @Override
    public Map<String, AttributeValue> keyOf(Key key) {
        return Map.of(KEY, AttributeValue.fromS(key.name()));
    }

    @Override
    public Optional<Key> keyOf(ForeignItem foreignItem) {
        boolean isLock = foreignItem.text(LEASE).isPresent()
                && foreignItem.number(EXPIRATION).isPresent();
        return foreignItem.text(KEY).filter(name -> isLock).flatMap(name -> ForeignValues.key("", name));
    }

    @Override
    public List<String> witnesses() {
        return List.of(LEASE);
    }

    @Override
    public Set<String> own() {
        return Set.of(LEASE, DURATION, OWNER, EXPIRATION);
    }

    @Override
    public Optional<String> ownerName() {
        return Optional.of(OWNER);
    }

    @Override
    public Reading read(Key key, ForeignItem foreignItem, Instant now) {
        Instant expiresAt = Instant.ofEpochSecond(foreignItem.number(EXPIRATION).orElse(0L));
        Optional<Long> seconds = foreignItem.number(DURATION);
        boolean free = seconds.equals(Optional.of(0L));
        Term term =
                seconds.map(it -> ForeignValues.term(Duration.ofSeconds(it))).orElse(remaining(expiresAt, now));
        return new Reading(
                free ? LeaseState.FREE : LeaseState.HELD,
                ForeignValues.holder(foreignItem.text(OWNER).orElse("")),
                Token.of(DerivedEntryId.ofText(foreignItem.text(LEASE).orElse(""))),
                term,
                null,
                expiresAt);
    }

    @Override
    public Map<String, Optional<AttributeValue>> write(Entry next, Instant now) {
        boolean held = isHeld(next);
        String owner = next.grant() == null ? "nobody" : next.grant().holder().name();
        Duration term = held ? requireNonNull(next.grant()).term().duration() : Duration.ZERO;
        long ends = (held ? now.plus(term) : now.minus(LONG_AGO)).getEpochSecond();
        // A part of a second counts as a whole one: nothing at all would mean that it is free.
        long seconds = term.plusSeconds(1).minusNanos(1).toSeconds();
        return Map.of(
                LEASE, Optional.of(proof(next)),
                DURATION, Optional.of(number(seconds)),
                OWNER, Optional.of(AttributeValue.fromS(owner)),
                EXPIRATION, Optional.of(number(ends)));
    }
}
