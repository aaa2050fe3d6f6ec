package dev.holdfast.dynamodb.foreign;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreFeature;
import dev.holdfast.Token;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
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
import java.util.stream.Stream;
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
    private final StoreDialect storeDialect;

    LockClientFormat(UrlParameters url) {
        this.key = url.text("key").filter(it -> !it.isEmpty()).orElse("key");
        this.sort = url.text("sort").filter(it -> !it.isEmpty()).orElse(null);
        EnumSet<StoreFeature> lacking = EnumSet.of(
                StoreFeature.FENCE,
                StoreFeature.FENCE_OF_DELETED,
                StoreFeature.DONE,
                StoreFeature.ATTRIBUTES,
                StoreFeature.ANCHORS,
                StoreFeature.CLEAN_UP);
        if (sort == null) {
            lacking.add(StoreFeature.NAMESPACES);
        }
        this.storeDialect = StoreDialect.of("lockclient").without(lacking);
    }

    @Override
    public StoreDialect dialect() {
        return storeDialect;
    }

    @Override
    public Duration step() {
        return Duration.ZERO;
    }

    @Override
    public List<String> keyNames() {
        return Stream.of(key, sort == null ? "" : sort)
                .filter(it -> !it.isEmpty())
                .toList();
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
            return partition.flatMap(name -> ForeignValues.key("", name));
        }
        return partition.flatMap(
                namespace -> foreignItem.text(sort).flatMap(name -> ForeignValues.key(namespace, name)));
    }

    @Override
    public List<String> witnesses() {
        return List.of(OWNER, RECORD, RELEASED);
    }

    @Override
    public Set<String> own() {
        return Set.of(OWNER, DURATION, RECORD, RELEASED);
    }

    @Override
    public Optional<String> ownerName() {
        return Optional.of(OWNER);
    }

    @Override
    public Reading read(Key of, ForeignItem foreignItem, Instant now) {
        String owner = foreignItem.text(OWNER).orElse("");
        return new Reading(
                foreignItem.has(RELEASED) ? LeaseState.FREE : LeaseState.HELD,
                ForeignValues.holder(owner),
                Token.of(DerivedEntryId.of("token", of.namespace(), of.name(), owner)),
                ForeignValues.term(duration(foreignItem)),
                null,
                null);
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
        boolean held = next.state() == LeaseState.HELD;
        Grant grant = next.grant();
        String owner = grant == null ? "nobody" : grant.holder().name();
        long millis = grant == null ? 1 : grant.term().duration().toMillis();
        Optional<AttributeValue> released = held ? Optional.empty() : Optional.of(AttributeValue.fromS("1"));
        return Map.of(
                OWNER, Optional.of(AttributeValue.fromS(owner)),
                DURATION, Optional.of(AttributeValue.fromS(String.valueOf(millis + 1 + millis / 1000))),
                RECORD, Optional.of(AttributeValue.fromS(next.version().toString())),
                RELEASED, released);
    }
}
