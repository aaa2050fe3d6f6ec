package dev.holdfast.dynamodb.layouts;

import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reader that converts items to entries. Our own items are read from the imprint; items of the other tool from its
 * attributes, with ids derived from them. An unknown time is {@link Instant#EPOCH}.
 */
final class ForeignEntryReader {
    private final ForeignFormat foreignFormat;
    private final List<String> witnesses;
    private final Set<String> notOurs;

    ForeignEntryReader(ForeignFormat foreignFormat) {
        this.foreignFormat = foreignFormat;
        this.witnesses = new ArrayList<>(foreignFormat.traits().witnesses());
        this.witnesses.add(EntryImprint.NAME);
        this.notOurs = new HashSet<>(foreignFormat.traits().own());
        this.notOurs.addAll(foreignFormat.traits().keyNames());
        this.notOurs.add(EntryImprint.NAME);
    }

    /** Returns the names that do not belong to the user. */
    Set<String> notOurs() {
        return notOurs;
    }

    /** Returns the attributes that every write is conditional on. */
    List<String> witnesses() {
        return witnesses;
    }

    SeenItem seen(Key key, ForeignItem foreignItem, Instant now) {
        return new SeenItem(
                entry(key, foreignItem, foreignFormat.read(key, foreignItem, now)), remembered(foreignItem));
    }

    /** Returns the attributes that the next write of an item needs; see {@link SeenItem}. */
    ForeignItem remembered(ForeignItem foreignItem) {
        List<String> names = new ArrayList<>(witnesses);
        foreignItem.values().forEach((name, value) -> {
            if (!notOurs.contains(name) && UserAttributes.hasSet(value)) {
                names.add(name);
            }
        });
        return foreignItem.only(names);
    }

    /** @param seenItem the same item */
    StoredEntry stored(SeenItem seenItem, ForeignItem foreignItem, Instant now) {
        Entry entry = seenItem.entry();
        Instant expiresAt = foreignFormat.read(entry.key(), foreignItem, now).expiresAt();
        Grant grant = entry.grant();
        if (expiresAt == null || grant == null) {
            return new StoredEntry(entry, null);
        }
        // As if the lease had been granted one term before it expires. Negative if the grant was for longer.
        return new StoredEntry(entry, Duration.between(expiresAt.minus(grant.term().duration()), now));
    }

    private Entry entry(Key key, ForeignItem foreignItem, ForeignLease lease) {
        String marker = foreignFormat.marker(foreignItem);
        String text = foreignItem.text(EntryImprint.NAME).orElse("");
        EntryImprint entryImprint = EntryImprint.parse(text);
        Attributes attributes = UserAttributes.of(foreignItem, notOurs);
        if (entryImprint != null && entryImprint.isAt(marker) && (entryImprint.grant() != null || !lease.isHeld())) {
            return entryImprint.entry(key, lease.isHeld(), lease.fence(), attributes);
        }
        String shown = DerivedEntryId.of(attributes).toString();
        return new Entry(
                key,
                Version.of(DerivedEntryId.of("version", key.namespace(), key.name(), marker, text, shown)),
                lease.isHeld() ? LeaseState.HELD : LeaseState.FREE,
                lease.fenceOrNone(),
                1,
                lease.grant(DerivedEntryId.of("beat", key.namespace(), key.name(), marker)),
                attributes,
                Instant.EPOCH,
                null);
    }
}
