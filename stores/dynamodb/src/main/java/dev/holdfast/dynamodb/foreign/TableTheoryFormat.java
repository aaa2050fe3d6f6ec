package dev.holdfast.dynamodb.foreign;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.store.Entry;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.UrlParameters;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Item format of TableTheory's lease package: a token, and the second at which it ends. Its clients compare that time
 * with their own clocks, without any allowance. So our holders stop {@code skew} before the stored end, and take a
 * lease from others {@code skew} after it.
 *
 * <p>A key without a namespace is a partition with the usual sort key. A key with a namespace is that partition and a
 * sort key of its own. A free lease ended in 1970: TableTheory acquires it immediately, and the time to live removes
 * it.
 */
final class TableTheoryFormat extends ExpiringFormat {
    static final Set<String> PARAMETERS =
            Set.of("skew", "pk", "sk", "lock-sk", "token", "expires-at", "ttl", "include-ttl", "ttl-buffer");

    private static final Duration TTL_BUFFER = Duration.ofHours(1);

    private final String pk;
    private final String sk;
    private final String lockSk;
    private final String token;
    private final String expiresAt;
    private final String ttl;
    private final boolean includeTtl;
    private final Duration ttlBuffer;
    private final Duration skew;

    TableTheoryFormat(UrlParameters url) {
        this.pk = url.text("pk").orElse("pk");
        this.sk = url.text("sk").orElse("sk");
        this.lockSk = url.text("lock-sk").orElse("LOCK");
        this.token = url.text("token").orElse("lease_token");
        this.expiresAt = url.text("expires-at").orElse("lease_expires_at");
        this.ttl = url.text("ttl").orElse("ttl");
        this.includeTtl = url.flag("include-ttl", true);
        this.ttlBuffer = url.duration("ttl-buffer", TTL_BUFFER, Duration.ZERO);
        this.skew = url.duration("skew", SKEW, LEAST_SKEW);
        List<String> names = List.of(pk, sk, token, expiresAt, ttl, EntryImprint.NAME);
        boolean anyEmpty = lockSk.isEmpty() || names.stream().anyMatch(String::isEmpty);
        if (anyEmpty || new LinkedHashSet<>(names).size() != names.size()) {
            throw ArgumentCheck.bad(
                    "attribute names",
                    String.join(", ", names),
                    "different ones for pk, sk, token, expires-at and ttl");
        }
    }

    @Override
    public StoreDialect dialect() {
        return StoreDialect.of("tabletheory").without(LACKING).expiring(skew);
    }

    @Override
    public Duration step() {
        return skew;
    }

    @Override
    public Optional<Duration> skew() {
        return Optional.of(skew);
    }

    @Override
    public Optional<String> timeToLive() {
        return includeTtl ? Optional.of(ttl) : Optional.empty();
    }

    @Override
    public List<String> keyNames() {
        return List.of(pk, sk);
    }

    @Override
    public Map<String, AttributeValue> keyOf(Key key) {
        if (!key.namespace().isEmpty() && key.name().equals(lockSk)) {
            throw ArgumentCheck.bad(
                    "name", lockSk, "the namespace as the name, without a namespace: this is the usual sort key");
        }
        boolean usual = key.namespace().isEmpty();
        return Map.of(
                pk, AttributeValue.fromS(usual ? key.name() : key.namespace()),
                sk, AttributeValue.fromS(usual ? lockSk : key.name()));
    }

    @Override
    public Optional<Key> keyOf(ForeignItem foreignItem) {
        Optional<String> partition = foreignItem.text(pk);
        Optional<String> sort = foreignItem.text(sk);
        if (partition.isEmpty()
                || sort.isEmpty()
                || foreignItem.text(token).isEmpty()
                || foreignItem.number(expiresAt).isEmpty()) {
            return Optional.empty();
        }
        return sort.get().equals(lockSk)
                ? ForeignValues.key("", partition.get())
                : ForeignValues.key(partition.get(), sort.get());
    }

    @Override
    public List<String> witnesses() {
        return List.of(token, expiresAt);
    }

    @Override
    public Set<String> own() {
        return Set.of(token, expiresAt, ttl);
    }

    @Override
    public Reading read(Key key, ForeignItem foreignItem, Instant now) {
        long second = foreignItem.number(expiresAt).orElse(0L);
        Instant end = Instant.ofEpochSecond(second);
        return new Reading(
                second == 0 ? LeaseState.FREE : LeaseState.HELD,
                ForeignValues.holder("tabletheory"),
                Token.of(DerivedEntryId.ofText(foreignItem.text(token).orElse(""))),
                remaining(end, now),
                null,
                end);
    }

    @Override
    public Map<String, Optional<AttributeValue>> write(Entry next, Instant now) {
        long ends = isHeld(next) ? expirySeconds(next, now) : 0;
        Map<String, Optional<AttributeValue>> values = new HashMap<>();
        values.put(token, Optional.of(proof(next)));
        values.put(expiresAt, Optional.of(number(ends)));
        if (includeTtl) {
            long until = Math.max(ends, now.getEpochSecond()) + ttlBuffer.toSeconds();
            values.put(ttl, Optional.of(number(until)));
        }
        return values;
    }
}
