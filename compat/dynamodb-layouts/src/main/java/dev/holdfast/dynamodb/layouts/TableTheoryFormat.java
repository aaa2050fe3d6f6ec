package dev.holdfast.dynamodb.layouts;

import dev.holdfast.Key;
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
import java.util.UUID;
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
final class TableTheoryFormat implements ForeignFormat {
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
    private final FormatTraits traits;

    TableTheoryFormat(UrlParameters url) {
        this.pk = url.text("pk").orElse("pk");
        this.sk = url.text("sk").orElse("sk");
        this.lockSk = url.text("lock-sk").orElse("LOCK");
        this.token = url.text("token").orElse("lease_token");
        this.expiresAt = url.text("expires-at").orElse("lease_expires_at");
        this.ttl = url.text("ttl").orElse("ttl");
        this.includeTtl = url.flag("include-ttl", true);
        this.ttlBuffer = url.duration("ttl-buffer", TTL_BUFFER, Duration.ZERO);
        Duration skew = ForeignClockGuard.skew(url);
        List<String> names = List.of(pk, sk, token, expiresAt, ttl, EntryImprint.NAME);
        boolean anyEmpty = lockSk.isEmpty() || names.stream().anyMatch(String::isEmpty);
        if (anyEmpty || new LinkedHashSet<>(names).size() != names.size()) {
            throw ArgumentCheck.bad(
                    "attribute names",
                    String.join(", ", names),
                    "different ones for pk, sk, token, expires-at and ttl");
        }
        this.traits = new FormatTraits(
                StoreDialect.of("tabletheory").without(LACKED_BY_LOCKS).expiring(skew),
                List.of(pk, sk),
                List.of(token, expiresAt),
                Set.of(token, expiresAt, ttl),
                Optional.empty(),
                includeTtl ? Optional.of(ttl) : Optional.empty(),
                Optional.of(skew),
                skew);
    }

    @Override
    public FormatTraits traits() {
        return traits;
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
                ? ForeignFormat.key("", partition.get())
                : ForeignFormat.key(partition.get(), sort.get());
    }

    @Override
    public ForeignLease read(Key key, ForeignItem foreignItem, Instant now) {
        Instant end = Instant.ofEpochSecond(foreignItem.number(expiresAt).orElse(0L));
        UUID proof = DerivedEntryId.ofText(foreignItem.text(token).orElse(""));
        boolean held = !end.equals(Instant.EPOCH);
        return ForeignLease.of(held, "tabletheory", proof, ForeignLease.remaining(end, now))
                .endingAt(end);
    }

    @Override
    public Map<String, Optional<AttributeValue>> write(Entry next, Instant now) {
        long ends = next.grant() != null && ForeignFormat.isHeld(next)
                ? secondFrom(now.plus(next.grant().term().duration()))
                : 0;
        Map<String, Optional<AttributeValue>> values = new HashMap<>();
        values.put(token, ForeignFormat.proof(next));
        values.put(expiresAt, ForeignFormat.number(ends));
        if (includeTtl) {
            values.put(ttl, ForeignFormat.number(Math.max(ends, now.getEpochSecond()) + ttlBuffer.toSeconds()));
        }
        return values;
    }

    /** Returns the first whole second that is not before {@code end}: a lease must not end before its term. */
    private static long secondFrom(Instant end) {
        return end.getNano() == 0 ? end.getEpochSecond() : end.getEpochSecond() + 1;
    }
}
