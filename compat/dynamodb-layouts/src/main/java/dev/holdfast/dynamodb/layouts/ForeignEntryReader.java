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
import java.util.Optional;
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

    SeenItem read(Key key, ForeignItem foreignItem, Instant now) {
        ForeignLease lease = foreignFormat.read(key, foreignItem, now);
        Entry entry = entry(key, foreignItem, lease);
        Grant grant = entry.grant();
        // As if the lease had been granted one term before it expires. Negative if the grant was for longer.
        Duration age = lease.expiresAt() == null || grant == null
                ? null
                : Duration.between(lease.expiresAt().minus(grant.term().duration()), now);
        return new SeenItem(new StoredEntry(entry, age), remembered(foreignItem));
    }

    /**
     * Entry with the attributes of its item that the next write needs.
     *
     * @param item the tool's own attributes that change with its writes, our imprint, and the user's attributes with
     * sets
     */
    record SeenItem(StoredEntry stored, ForeignItem item) {
        Entry entry() {
            return stored.entry();
        }

        /** Returns whether {@code next} looks the same to the tool: the same beat, and held or free as before. */
        boolean isSameToTheTool(Entry next) {
            var beat = Optional.ofNullable(entry().grant()).map(Grant::beat);
            return beat.equals(Optional.ofNullable(next.grant()).map(Grant::beat)) && entry().state() == next.state();
        }
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
