package dev.holdfast.dynamodb.foreign;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.store.Term;
import dev.holdfast.dynamodb.foreign.ForeignFormat.Reading;
import dev.holdfast.store.Beat;
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
public final class ForeignEntryReader {
    private final ForeignFormat foreignFormat;
    private final List<String> witnesses;
    private final Set<String> notOurs;

    public ForeignEntryReader(ForeignFormat foreignFormat) {
        this.foreignFormat = foreignFormat;
        this.witnesses = new ArrayList<>(foreignFormat.witnesses());
        this.witnesses.add(EntryImprint.NAME);
        this.notOurs = new HashSet<>(foreignFormat.own());
        this.notOurs.addAll(foreignFormat.keyNames());
        this.notOurs.add(EntryImprint.NAME);
    }

    /** Returns the names that do not belong to the user. */
    public Set<String> notOurs() {
        return notOurs;
    }

    /** Returns the attributes that every write is conditional on. */
    List<String> witnesses() {
        return witnesses;
    }

    public SeenItem seen(Key key, ForeignItem foreignItem, Instant now) {
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
    public StoredEntry stored(SeenItem seenItem, ForeignItem foreignItem, Instant now) {
        Instant expiresAt =
                foreignFormat.read(seenItem.entry().key(), foreignItem, now).expiresAt();
        Grant grant = seenItem.entry().grant();
        return new StoredEntry(
                seenItem.entry(), expiresAt == null || grant == null ? null : age(expiresAt, grant.term(), now));
    }

    /**
     * Returns the age as if the lease had been granted one term before it expires. It is negative if the grant was for
     * longer.
     */
    private static Duration age(Instant expiresAt, Term term, Instant now) {
        return Duration.between(expiresAt.minus(term.duration()), now);
    }

    private Entry entry(Key key, ForeignItem foreignItem, Reading reading) {
        String marker = foreignFormat.marker(foreignItem);
        String text = foreignItem.text(EntryImprint.NAME).orElse("");
        EntryImprint entryImprint = EntryImprint.parse(text);
        Attributes attributes = UserAttributes.of(foreignItem, notOurs);
        boolean held = reading.state() == LeaseState.HELD;
        if (entryImprint != null && entryImprint.isAt(marker) && (entryImprint.grant() != null || !held)) {
            return entryImprint.entry(key, held, reading.fence(), attributes);
        }
        String shown = DerivedEntryId.of(attributes).toString();
        Version version = Version.of(DerivedEntryId.of("version", key.namespace(), key.name(), marker, text, shown));
        Grant grant = held ? grant(key, reading, marker) : null;
        Fence fence = reading.fence() == null ? Fence.NONE : reading.fence();
        return new Entry(key, version, reading.state(), fence, 1, grant, attributes, Instant.EPOCH, null);
    }

    private static Grant grant(Key key, Reading reading, String marker) {
        Beat beat = Beat.of(DerivedEntryId.of("beat", key.namespace(), key.name(), marker));
        // An expiry and a term give the time of the last renewal, but not of the grant.
        return new Grant(reading.token(), reading.holder(), reading.term(), beat, Instant.EPOCH, null);
    }
}
