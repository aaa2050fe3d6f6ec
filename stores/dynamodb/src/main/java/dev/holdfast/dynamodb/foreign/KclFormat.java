package dev.holdfast.dynamodb.foreign;

import dev.holdfast.dynamodb.Parameters;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.model.Power;
import dev.holdfast.model.State;
import dev.holdfast.model.Term;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The lease table of a8m/lease, and the three core attributes of the Kinesis Client Library: a key, an owner, and a
 * counter that grows with every take and renewal. A counter that stands still for too long, on the observer's own clock,
 * means that its owner is dead.
 *
 * <p>The counter is a fence while the row exists: both tools add to it with every grant, and eviction keeps it. Its
 * others take what has been silent for {@code expire}, whatever our term; so no term may be longer, and we stop
 * believing a little earlier, for clocks that run differently.
 */
final class KclFormat implements Format {
    static final Set<String> PARAMETERS = Set.of("expire", "nobody");

    private static final String KEY = "leaseKey";
    private static final String OWNER = "leaseOwner";
    private static final String COUNTER = "leaseCounter";
    /** What a8m/lease writes for nobody. */
    private static final String NOBODY = "NULL";

    private static final Duration EXPIRE = Duration.ofSeconds(10);
    /** Clocks run alike to within a thousandth; see the rules. */
    private static final int DRIFT = 1000;

    /** What to write where nobody owns a lease. */
    enum Nobody {
        /** The text {@code NULL}, which a8m/lease can compare with. */
        TEXT,
        /** No attribute at all, as the Kinesis Client Library does. */
        ABSENT
    }

    private final Duration expire;
    private final Nobody nobody;
    private final Dialect dialect;

    KclFormat(Parameters url) {
        this.expire = url.duration("expire", EXPIRE, Duration.ofSeconds(1));
        this.nobody = url.word("nobody", Nobody.class, Nobody.TEXT);
        this.dialect = Dialect.of("kcl")
                .without(Set.of(Power.DONE, Power.ANCHORS, Power.NAMESPACES, Power.CLEAN_UP, Power.FENCE_OF_DELETED))
                .countingBeats()
                .takenAfter(expire, Duration.ofMillis(1 + expire.toMillis() / DRIFT));
    }

    @Override
    public Dialect dialect() {
        return dialect;
    }

    @Override
    public Duration step() {
        return Duration.ZERO;
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
    public Optional<Key> keyOf(Item item) {
        boolean counted = !item.has(COUNTER) || item.number(COUNTER).orElse(-1L) >= 0;
        return item.text(KEY).filter(name -> counted).flatMap(name -> Foreign.key("", name));
    }

    @Override
    public List<String> witnesses() {
        return List.of(OWNER, COUNTER);
    }

    @Override
    public Set<String> own() {
        return Set.of(OWNER, COUNTER);
    }

    @Override
    public Optional<String> ownerName() {
        return Optional.of(OWNER);
    }

    @Override
    public Reading read(Key key, Item item, Instant now) {
        String owner = item.text(OWNER).orElse("");
        boolean free = owner.isEmpty() || owner.equals(NOBODY);
        Holder holder = Foreign.holder(owner);
        Token token = Token.of(DerivedId.of("token", key.name(), owner));
        Fence fence = Fence.of(item.number(COUNTER).orElse(0L));
        return new Reading(free ? State.FREE : State.HELD, holder, token, Term.of(expire), fence, null);
    }

    @Override
    public Map<String, Optional<AttributeValue>> write(Entry next, Instant now) {
        AttributeValue counter = AttributeValue.fromN(next.fence().toString());
        return Map.of(OWNER, owner(next), COUNTER, Optional.of(counter));
    }

    private Optional<AttributeValue> owner(Entry next) {
        if (next.state() != State.HELD || next.grant() == null) {
            return nobody == Nobody.ABSENT ? Optional.empty() : Optional.of(AttributeValue.fromS(NOBODY));
        }
        String name = next.grant().holder().name();
        if (name.equals(NOBODY)) {
            throw StoreException.rejected("holder: NULL (expected: another name, as that means nobody here)", null);
        }
        return Optional.of(AttributeValue.fromS(name));
    }
}
