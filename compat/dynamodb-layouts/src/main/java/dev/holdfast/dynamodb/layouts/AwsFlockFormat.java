package dev.holdfast.dynamodb.layouts;

import static java.util.Objects.requireNonNull;

import dev.holdfast.Key;
import dev.holdfast.StoreFeature;
import dev.holdfast.store.Entry;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.support.UrlParameters;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Table format of awsflock. The client with its {@code lease_id} in the item holds the lock, until {@code
 * expiration_time} plus five seconds of grace. The id changes with every renewal, so here the token does too.
 *
 * <p>A free lock has a duration of 0 and ended long ago. awsflock acquires it immediately, and the table's time to live
 * removes it.
 */
final class AwsFlockFormat implements ForeignFormat {
    static final Set<String> PARAMETERS = Set.of("skew");

    private static final String KEY = "lock_id";
    private static final String LEASE = "lease_id";
    private static final String DURATION = "lease_duration";
    private static final String OWNER = "owner";
    private static final String EXPIRATION = "expiration_time";

    /** How long awsflock waits beyond an expiry. */
    private static final Duration GRACE = Duration.ofSeconds(5);
    /**
     * An end is rounded down to whole seconds, as awsflock does. A later end would make awsflock wait twice as long.
     */
    private static final Duration ROUNDING = Duration.ofSeconds(1);
    /** Long enough ago for any clock, but not so long that the time to live ignores it (5 years). */
    private static final Duration LONG_AGO = Duration.ofHours(1);

    private final FormatTraits traits;

    AwsFlockFormat(UrlParameters url) {
        Duration skew = ForeignClockGuard.skew(url);
        EnumSet<StoreFeature> lacking = EnumSet.copyOf(LACKED_BY_LOCKS);
        lacking.add(StoreFeature.NAMESPACES);
        lacking.add(StoreFeature.LASTING_TOKEN);
        // The grace of other clients protects a holder from the rounding, and from clocks that are ahead of its own.
        Duration early = skew.plus(ROUNDING).minus(GRACE);
        Duration beyondGrace = early.isNegative() ? Duration.ZERO : early;
        this.traits = new FormatTraits(
                StoreDialect.of("awsflock").without(lacking).expiring(beyondGrace),
                List.of(KEY),
                List.of(LEASE),
                Set.of(LEASE, DURATION, OWNER, EXPIRATION),
                Optional.of(OWNER),
                Optional.of(EXPIRATION),
                Optional.of(skew),
                skew.compareTo(GRACE) > 0 ? skew : GRACE);
    }

    @Override
    public FormatTraits traits() {
        return traits;
    }

    @Override
    public Map<String, AttributeValue> keyOf(Key key) {
        return Map.of(KEY, AttributeValue.fromS(key.name()));
    }

    @Override
    public Optional<Key> keyOf(ForeignItem foreignItem) {
        boolean isLock = foreignItem.text(LEASE).isPresent()
                && foreignItem.number(EXPIRATION).isPresent();
        return foreignItem.text(KEY).filter(name -> isLock).flatMap(name -> ForeignFormat.key("", name));
    }

    @Override
    public ForeignLease read(Key key, ForeignItem foreignItem, Instant now) {
        Instant expiresAt = Instant.ofEpochSecond(foreignItem.number(EXPIRATION).orElse(0L));
        Optional<Long> seconds = foreignItem.number(DURATION);
        return ForeignLease.of(
                        !seconds.equals(Optional.of(0L)),
                        foreignItem.text(OWNER).orElse(""),
                        DerivedEntryId.ofText(foreignItem.text(LEASE).orElse("")),
                        seconds.map(it -> ForeignLease.term(Duration.ofSeconds(it)))
                                .orElse(ForeignLease.remaining(expiresAt, now)))
                .endingAt(expiresAt);
    }

    @Override
    public Map<String, Optional<AttributeValue>> write(Entry next, Instant now) {
        boolean held = ForeignFormat.isHeld(next);
        String owner = next.grant() == null ? "nobody" : next.grant().holder().name();
        Duration term = held ? requireNonNull(next.grant()).term().duration() : Duration.ZERO;
        long ends = (held ? now.plus(term) : now.minus(LONG_AGO)).getEpochSecond();
        // A part of a second counts as a whole one, because 0 would mean that the lock is free.
        long seconds = term.plusSeconds(1).minusNanos(1).toSeconds();
        return Map.of(
                LEASE, ForeignFormat.proof(next),
                DURATION, ForeignFormat.number(seconds),
                OWNER, ForeignFormat.text(owner),
                EXPIRATION, ForeignFormat.number(ends));
    }
}
