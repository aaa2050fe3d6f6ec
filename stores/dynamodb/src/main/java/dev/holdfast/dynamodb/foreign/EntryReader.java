package dev.holdfast.dynamodb.foreign;

import dev.holdfast.dynamodb.foreign.Format.Reading;
import dev.holdfast.model.Attributes;
import dev.holdfast.model.Beat;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.model.Term;
import dev.holdfast.model.Version;
import dev.holdfast.spi.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes entries of items: of our own, by the imprint; of another's, by what it says, with ids derived from it. Where a
 * time is not known it is {@link Instant#EPOCH}.
 */
final class EntryReader {
    private final Format format;
    private final List<String> witnesses;
    private final Set<String> notOurs;

    EntryReader(Format format) {
        this.format = format;
        this.witnesses = new ArrayList<>(format.witnesses());
        this.witnesses.add(Imprint.NAME);
        this.notOurs = new HashSet<>(format.own());
        this.notOurs.addAll(format.keyNames());
        this.notOurs.add(Imprint.NAME);
    }

    /** Names that are not the user's. */
    Set<String> notOurs() {
        return notOurs;
    }

    /** What every write is conditional on. */
    List<String> witnesses() {
        return witnesses;
    }

    Seen seen(Key key, Item item, Instant now) {
        return new Seen(entry(key, item, format.read(key, item, now)), item.only(witnesses));
    }

    /** @param seen of the same item */
    Stored stored(Seen seen, Item item, Instant now) {
        Instant expiresAt = format.read(seen.entry().key(), item, now).expiresAt();
        Grant grant = seen.entry().grant();
        return new Stored(seen.entry(), expiresAt == null || grant == null ? null : age(expiresAt, grant.term(), now));
    }

    /** As if the lease had been granted a term before it expires; less than nothing if it was granted for longer. */
    private static Duration age(Instant expiresAt, Term term, Instant now) {
        return Duration.between(expiresAt.minus(term.duration()), now);
    }

    private Entry entry(Key key, Item item, Reading reading) {
        String marker = format.marker(item);
        String text = item.text(Imprint.NAME).orElse("");
        Imprint imprint = Imprint.parse(text);
        Attributes attributes = UserAttributes.of(item, notOurs);
        boolean held = reading.state() == State.HELD;
        if (imprint != null && imprint.isAt(marker) && (imprint.grant() != null || !held)) {
            return imprint.entry(key, held, reading.fence(), attributes);
        }
        String shown = DerivedId.of(attributes).toString();
        Version version = Version.of(DerivedId.of("version", key.namespace(), key.name(), marker, text, shown));
        Grant grant = held ? grant(key, reading, marker) : null;
        Fence fence = reading.fence() == null ? Fence.NONE : reading.fence();
        return new Entry(key, version, reading.state(), fence, 1, grant, attributes, Instant.EPOCH, null);
    }

    private static Grant grant(Key key, Reading reading, String marker) {
        Beat beat = Beat.of(DerivedId.of("beat", key.namespace(), key.name(), marker));
        // An expiry and a term give the time of the last renewal, which is not the time of the grant.
        return new Grant(reading.token(), reading.holder(), reading.term(), beat, Instant.EPOCH, null);
    }
}
