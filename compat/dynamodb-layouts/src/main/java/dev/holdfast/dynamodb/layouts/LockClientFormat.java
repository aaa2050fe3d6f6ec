package dev.holdfast.dynamodb.layouts;

import dev.holdfast.Key;
import dev.holdfast.StoreFeature;
import dev.holdfast.store.Entry;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.UrlParameters;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Table format of amazon-dynamodb-lock-client, with a record version number that changes with every heartbeat. A client
 * that sees it unchanged for the stored lease duration may take the lock, and so does Holdfast.
 *
 * <p>The library makes no allowance for clocks that run at different rates. So the duration that we write is a
 * thousandth longer than the validity of our lease. Its {@code data} belongs to the user: it is shown as an attribute,
 * and left unchanged.
 */
final class LockClientFormat implements ForeignFormat {
    static final Set<String> PARAMETERS = Set.of("key", "sort");

    private static final String OWNER = "ownerName";
    private static final String DURATION = "leaseDuration";
    private static final String RECORD = "recordVersionNumber";
    private static final String RELEASED = "isReleased";

    /** The longest duration that we write. It also corresponds to our longest term when we judge a beat. */
    private static final Duration LONGEST =
            SizeLimits.TERM_MAX.plus(SizeLimits.TERM_MAX.dividedBy(1000)).plusMillis(1);

    private final String key;
    private final @Nullable String sort;
    private final FormatTraits traits;

    LockClientFormat(UrlParameters url) {
        this.key = url.text("key").filter(it -> !it.isEmpty()).orElse("key");
        this.sort = url.text("sort").filter(it -> !it.isEmpty()).orElse(null);
        EnumSet<StoreFeature> lacking = EnumSet.copyOf(LACKED_BY_LOCKS);
        if (sort == null) {
            lacking.add(StoreFeature.NAMESPACES);
        }
        this.traits = new FormatTraits(
                StoreDialect.of("lockclient").without(lacking),
                sort == null ? List.of(key) : List.of(key, sort),
                List.of(OWNER, RECORD, RELEASED),
                Set.of(OWNER, DURATION, RECORD, RELEASED),
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
    public Map<String, AttributeValue> keyOf(Key of) {
        if (sort == null) {
            return Map.of(key, AttributeValue.fromS(of.name()));
        }
        if (of.namespace().isEmpty()) {
            throw ArgumentCheck.bad("namespace", "", "the value of " + key + ", as the name is the value of " + sort);
        }
        return Map.of(key, AttributeValue.fromS(of.namespace()), sort, AttributeValue.fromS(of.name()));
    }

    @Override
    public Optional<Key> keyOf(ForeignItem foreignItem) {
        boolean isLock = foreignItem.text(RECORD).isPresent()
                && (foreignItem.has(RELEASED) || duration(foreignItem).compareTo(LONGEST) <= 0);
        Optional<String> partition = foreignItem.text(key).filter(it -> isLock);
        if (sort == null) {
            return partition.flatMap(name -> ForeignFormat.key("", name));
        }
        return partition.flatMap(
                namespace -> foreignItem.text(sort).flatMap(name -> ForeignFormat.key(namespace, name)));
    }

    @Override
    public ForeignLease read(Key of, ForeignItem foreignItem, Instant now) {
        String owner = foreignItem.text(OWNER).orElse("");
        return ForeignLease.of(
                !foreignItem.has(RELEASED),
                owner,
                DerivedEntryId.of("token", of.namespace(), of.name(), owner),
                ForeignLease.term(duration(foreignItem)));
    }

    /** A missing duration cannot be judged, so it counts as longer than any that can. */
    private static Duration duration(ForeignItem foreignItem) {
        try {
            return Duration.ofMillis(Long.parseLong(foreignItem.text(DURATION).orElse("")));
        } catch (NumberFormatException e) {
            return LONGEST.plusDays(1);
        }
    }

    @Override
    public Map<String, Optional<AttributeValue>> write(Entry next, Instant now) {
        String owner = next.grant() == null ? "nobody" : next.grant().holder().name();
        long millis = next.grant() == null ? 1 : next.grant().term().duration().toMillis();
        return Map.of(
                OWNER, ForeignFormat.text(owner),
                DURATION, ForeignFormat.text(String.valueOf(millis + 1 + millis / 1000)),
                RECORD, ForeignFormat.text(next.version().toString()),
                RELEASED, ForeignFormat.isHeld(next) ? Optional.empty() : ForeignFormat.text("1"));
    }
}
