package dev.holdfast.dynamodb.foreign;

import dev.holdfast.dynamodb.Parameters;
import dev.holdfast.importing.SourceRow;
import dev.holdfast.model.Attributes;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Holder;
import dev.holdfast.model.ImportedRow;
import dev.holdfast.model.ImportedRow.LastGrant;
import dev.holdfast.model.Key;
import dev.holdfast.model.Limits;
import dev.holdfast.model.Power;
import dev.holdfast.model.State;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Makes rows for an import of the items of another tool. Nothing that an item has is dropped in silence: a lease of which a
 * part cannot be kept is reported.
 */
final class ForeignRowReader {
    private final Format format;
    private final EntryReader reader;
    private final String namespace;

    /** @param namespace of keys that have none */
    ForeignRowReader(Format format, String namespace) {
        this.format = format;
        this.reader = new EntryReader(format);
        this.namespace = namespace;
    }

    /** Empty for what is no lease. */
    Optional<SourceRow> read(Item item, Instant now) {
        Optional<Key> key = format.keyOf(item);
        if (key.isEmpty() && format.witnesses().stream().noneMatch(item::has)) {
            return Optional.empty();
        }
        return Optional.of(SourceRow.of(shown(item), () -> row(requireKey(key, item), item, now)));
    }

    private String shown(Item item) {
        return format.keyNames().stream()
                .map(name -> item.text(name).orElse("?"))
                .collect(Collectors.joining("/"));
    }

    private Key requireKey(Optional<Key> key, Item item) {
        if (key.isPresent()) {
            return key.get();
        }
        // One of these says why, if it is a text that is too long or has a NUL.
        List<String> texts = format.keyNames().stream()
                .flatMap(name -> item.text(name).stream())
                .toList();
        if (texts.size() == 1) {
            Key.of(texts.get(0));
        } else if (texts.size() == 2) {
            Key.of(texts.get(0), texts.get(1));
        }
        throw Parameters.bad(
                "item",
                "not understood",
                "a lease of layout " + format.dialect().name() + ", for at most " + Limits.TERM_MAX.toDays() + " days");
    }

    private ImportedRow row(Key key, Item item, Instant now) {
        requireKeepable(item);
        Stored stored = reader.stored(reader.seen(key, item, now), item, now);
        Entry entry = stored.entry();
        Key target = key.namespace().isEmpty() ? Key.of(namespace, key.name()) : key;
        return new ImportedRow(
                target,
                entry.version().toString(),
                fence(entry),
                entry.grants(),
                grant(item, stored, now),
                entry.attributes(),
                entry.createdAt(),
                null);
    }

    /** Where leases are counted, the row of one that nobody has taken yet says that it exists. */
    private Fence fence(Entry entry) {
        boolean isCounted = !format.dialect().lacks(Power.FENCE);
        return isCounted && entry.fence().equals(Fence.NONE) ? Fence.of(1) : entry.fence();
    }

    private void requireKeepable(Item item) {
        format.ownerName().flatMap(item::text).filter(owner -> !owner.isEmpty()).ifPresent(Holder::of);
        Attributes kept = UserAttributes.of(item, reader.notOurs());
        item.values().forEach((name, value) -> {
            boolean isNull = value.type() == AttributeValue.Type.NUL;
            if (!isNull && !reader.notOurs().contains(name) && kept.get(name).isEmpty()) {
                throw Parameters.bad("attribute", name, "one within the limits of attributes, with all others");
            }
        });
    }

    /** A lock that has ended leaves nothing behind; a lease that counts its grants leaves its last holder. */
    private @Nullable LastGrant grant(Item item, Stored stored, Instant now) {
        Entry entry = stored.entry();
        Grant grant = entry.grant();
        if (grant == null) {
            return null;
        }
        Duration left = entry.state() == State.HELD ? left(stored, grant) : Duration.ZERO;
        if (left.isZero() && entry.fence().equals(Fence.NONE)) {
            return null;
        }
        return new LastGrant(token(item, grant), grant.holder(), left, now.plus(left));
    }

    /**
     * Where a lease ends at a time, until then, and as long after that as clocks may differ. Elsewhere, a whole term from now
     * on: the tool itself would have to watch it for as long.
     */
    private Duration left(Stored stored, Grant grant) {
        Duration age = stored.age();
        Duration left = age == null
                ? grant.term().duration()
                : grant.term().duration().minus(age).plus(format.step());
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** What we derive from names proves nothing: whoever knows the names could renew the lease. */
    private @Nullable Token token(Item item, Grant grant) {
        boolean isTold = item.values().values().stream()
                .anyMatch(value -> grant.token().secret().equals(value.s()));
        boolean isOurs = Optional.ofNullable(
                        Imprint.parse(item.text(Imprint.NAME).orElse("")))
                .map(Imprint::grant)
                .filter(ours -> ours.token().equals(grant.token()))
                .isPresent();
        return isTold || isOurs ? grant.token() : null;
    }
}
