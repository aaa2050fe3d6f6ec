package dev.holdfast.dynamodb.layouts;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreFeature;
import dev.holdfast.Token;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.importing.ImportedRow.LastGrant;
import dev.holdfast.importing.SourceRow;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reader that converts the items of another tool to rows for an import. It drops nothing silently: a lease that cannot
 * be kept completely is reported.
 */
final class ForeignRowReader {
    private final ForeignFormat foreignFormat;
    private final ForeignEntryReader reader;
    private final String namespace;

    /** @param namespace the namespace of keys that have none */
    ForeignRowReader(ForeignFormat foreignFormat, String namespace) {
        this.foreignFormat = foreignFormat;
        this.reader = new ForeignEntryReader(foreignFormat);
        this.namespace = namespace;
    }

    /** Returns the row of an item; empty if the item is not a lease. */
    Optional<SourceRow> read(ForeignItem foreignItem, Instant now) {
        Optional<Key> key = foreignFormat.keyOf(foreignItem);
        if (key.isEmpty() && foreignFormat.traits().witnesses().stream().noneMatch(foreignItem::has)) {
            return Optional.empty();
        }
        return Optional.of(SourceRow.of(shown(foreignItem), () -> row(requireKey(key, foreignItem), foreignItem, now)));
    }

    private String shown(ForeignItem foreignItem) {
        return foreignFormat.traits().keyNames().stream()
                .map(name -> foreignItem.text(name).orElse("?"))
                .collect(Collectors.joining("/"));
    }

    private Key requireKey(Optional<Key> key, ForeignItem foreignItem) {
        if (key.isPresent()) {
            return key.get();
        }
        // One of these throws the reason, if a text is too long or contains a NUL.
        List<String> texts = foreignFormat.traits().keyNames().stream()
                .flatMap(name -> foreignItem.text(name).stream())
                .toList();
        if (texts.size() == 1) {
            Key.of(texts.get(0));
        } else if (texts.size() == 2) {
            Key.of(texts.get(0), texts.get(1));
        }
        throw ArgumentCheck.bad(
                "item",
                "not understood",
                "a lease of layout " + foreignFormat.traits().dialect().name() + ", for at most "
                        + SizeLimits.TERM_MAX.toDays() + " days");
    }

    private ImportedRow row(Key key, ForeignItem foreignItem, Instant now) {
        requireKeepable(foreignItem);
        StoredEntry storedEntry = reader.read(key, foreignItem, now).stored();
        Entry entry = storedEntry.entry();
        Key target = key.namespace().isEmpty() ? Key.of(namespace, key.name()) : key;
        return new ImportedRow(
                target,
                entry.version().toString(),
                fence(entry),
                entry.grants(),
                grant(foreignItem, storedEntry, now),
                entry.attributes(),
                entry.createdAt(),
                null);
    }

    /** In a layout that counts grants, a row that was never taken has a fence of 1, so that it counts as existing. */
    private Fence fence(Entry entry) {
        boolean isCounted = !foreignFormat.traits().dialect().lacks(StoreFeature.FENCE);
        return isCounted && entry.fence().equals(Fence.NONE) ? Fence.of(1) : entry.fence();
    }

    private void requireKeepable(ForeignItem foreignItem) {
        foreignFormat
                .traits()
                .ownerName()
                .flatMap(foreignItem::text)
                .filter(owner -> !owner.isEmpty())
                .ifPresent(Holder::of);
        Attributes kept = UserAttributes.of(foreignItem, reader.notOurs());
        foreignItem.values().forEach((name, value) -> {
            boolean isNull = value.type() == AttributeValue.Type.NUL;
            if (!isNull && !reader.notOurs().contains(name) && kept.get(name).isEmpty()) {
                throw ArgumentCheck.bad("attribute", name, "one within the limits of attributes, with all others");
            }
        });
    }

    /** An ended lock leaves nothing behind. An ended lease with a grant count leaves its last holder. */
    private @Nullable LastGrant grant(ForeignItem foreignItem, StoredEntry storedEntry, Instant now) {
        Entry entry = storedEntry.entry();
        Grant grant = entry.grant();
        if (grant == null) {
            return null;
        }
        Duration left = entry.state() == LeaseState.HELD ? left(storedEntry, grant) : Duration.ZERO;
        if (left.isZero() && entry.fence().equals(Fence.NONE)) {
            return null;
        }
        return new LastGrant(token(foreignItem, grant), grant.holder(), left, now.plus(left));
    }

    /**
     * Returns the time until the stored end, plus the skew of clocks. Without a stored end, it is a whole term from
     * now, because the tool itself would have to watch the lease for as long.
     */
    private Duration left(StoredEntry storedEntry, Grant grant) {
        Duration age = storedEntry.age();
        Duration left = age == null
                ? grant.term().duration()
                : grant.term().duration().minus(age).plus(foreignFormat.traits().step());
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** A token derived from names proves nothing: any client that knows the names could renew the lease. */
    private @Nullable Token token(ForeignItem foreignItem, Grant grant) {
        boolean isInItem = foreignItem.values().values().stream()
                .anyMatch(value -> grant.token().secret().equals(value.s()));
        boolean isOurs = Optional.ofNullable(
                        EntryImprint.parse(foreignItem.text(EntryImprint.NAME).orElse("")))
                .map(EntryImprint::grant)
                .filter(ours -> ours.token().equals(grant.token()))
                .isPresent();
        return isInItem || isOurs ? grant.token() : null;
    }
}
