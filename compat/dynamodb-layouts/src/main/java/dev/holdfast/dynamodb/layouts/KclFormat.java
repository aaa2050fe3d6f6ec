package dev.holdfast.dynamodb.layouts;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.StoreFeature;
import dev.holdfast.store.Entry;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.store.Term;
import dev.holdfast.support.UrlParameters;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Lease table format of a8m/lease, and the three core attributes of the Kinesis Client Library: a key, an owner, and a
 * counter that grows with every take and renewal. If the counter is unchanged for too long, by the observer's own
 * clock, its owner is dead.
 *
 * <p>The counter is a fence while the row exists: both tools increment it with every grant, and eviction keeps it.
 * Other workers take a lease that was not renewed for {@code expire}, even if its term is longer. So no term may exceed
 * it, and our leases end a little earlier, because clocks run at different rates.
 */
final class KclFormat implements ForeignFormat {
    static final Set<String> PARAMETERS = Set.of("expire", "nobody");

    private static final String KEY = "leaseKey";
    private static final String OWNER = "leaseOwner";
    private static final String COUNTER = "leaseCounter";
    /** The text that a8m/lease stores if there is no owner. */
    private static final String NOBODY = "NULL";

    private static final Duration EXPIRE = Duration.ofSeconds(10);
    /** Clocks run at the same rate to within a thousandth; see the rules. */
    private static final int DRIFT = 1000;

    /** Representation of a lease without an owner. */
    enum Nobody {
        /** The text {@code NULL}, which a8m/lease can compare with. */
        TEXT,
        /** No attribute at all, as the Kinesis Client Library does. */
        ABSENT
    }

    private final Duration expire;
    private final Nobody nobody;
    private final FormatTraits traits;

    KclFormat(UrlParameters url) {
        this.expire = url.duration("expire", EXPIRE, Duration.ofSeconds(1));
        this.nobody = url.word("nobody", Nobody.class, Nobody.TEXT);
        StoreDialect dialect = StoreDialect.of("kcl")
                .without(Set.of(
                        StoreFeature.DONE,
                        StoreFeature.ANCHORS,
                        StoreFeature.NAMESPACES,
                        StoreFeature.CLEAN_UP,
                        StoreFeature.HISTORY,
                        StoreFeature.FENCE_OF_DELETED))
                .countingBeats()
                .takenAfter(expire, Duration.ofMillis(1 + expire.toMillis() / DRIFT));
        this.traits = new FormatTraits(
                dialect,
                List.of(KEY),
                List.of(OWNER, COUNTER),
                Set.of(OWNER, COUNTER),
                Optional.of(OWNER),
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO);
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
        boolean counted =
                !foreignItem.has(COUNTER) || foreignItem.number(COUNTER).orElse(-1L) >= 0;
        return foreignItem.text(KEY).filter(name -> counted).flatMap(name -> ForeignFormat.key("", name));
    }

    @Override
    public ForeignLease read(Key key, ForeignItem foreignItem, Instant now) {
        String owner = foreignItem.text(OWNER).orElse("");
        boolean free = owner.isEmpty() || owner.equals(NOBODY);
        return ForeignLease.of(!free, owner, DerivedEntryId.of("token", key.name(), owner), Term.of(expire))
                .withFence(foreignItem.number(COUNTER).orElse(0L));
    }

    @Override
    public Map<String, Optional<AttributeValue>> write(Entry next, Instant now) {
        return Map.of(
                OWNER, owner(next), COUNTER, ForeignFormat.number(next.fence().value()));
    }

    private Optional<AttributeValue> owner(Entry next) {
        if (next.grant() == null || !ForeignFormat.isHeld(next)) {
            return nobody == Nobody.ABSENT ? Optional.empty() : ForeignFormat.text(NOBODY);
        }
        String name = next.grant().holder().name();
        if (name.equals(NOBODY)) {
            throw StoreException.rejected("holder: NULL (expected: another name, as NULL means no holder here)", null);
        }
        return ForeignFormat.text(name);
    }
}
