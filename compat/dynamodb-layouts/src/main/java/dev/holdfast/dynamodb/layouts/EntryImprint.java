package dev.holdfast.dynamodb.layouts;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Properties of an entry that the other tool has no place for, stored as text in one attribute of ours: version, fence,
 * counts, times and the last grant. It is valid only while the tool's own attributes are unchanged since it was
 * written. Otherwise a tool that leaves unknown attributes alone would make us mistake its write for ours.
 *
 * @param at the tool's own attributes at that time, see {@link ForeignFormat#marker}
 * @param attributes the user's attributes at that time; the tool may change them without a sign, and that is another
 * version
 */
record EntryImprint(
        Version version,
        UUID at,
        UUID attributes,
        Fence fence,
        long grants,
        Instant createdAt,
        @Nullable Grant grant) {
    /** The name of the attribute. */
    static final String NAME = "holdfast";

    private static final String FORMAT = "1";
    private static final int FIELDS_WITHOUT_GRANT = 7;
    private static final int FIELDS = 12;

    static EntryImprint of(Entry entry, String marker) {
        return new EntryImprint(
                entry.version(),
                DerivedEntryId.of(marker),
                DerivedEntryId.of(entry.attributes()),
                entry.fence(),
                entry.grants(),
                entry.createdAt(),
                entry.grant());
    }

    boolean isAt(String marker) {
        return at.equals(DerivedEntryId.of(marker));
    }

    /** Returns the entry. The tool's own attributes decide whether it is held, and its fence if they have one. */
    Entry entry(Key key, boolean held, @Nullable Fence toolsFence, Attributes current) {
        UUID now = DerivedEntryId.of(current);
        return new Entry(
                key,
                now.equals(attributes)
                        ? version
                        : Version.of(DerivedEntryId.of("version", version.toString(), now.toString())),
                held ? LeaseState.HELD : LeaseState.FREE,
                toolsFence == null ? fence : toolsFence,
                grants,
                grant,
                current,
                createdAt,
                null);
    }

    String toText() {
        String head = String.join(
                " ",
                FORMAT,
                version.toString(),
                at.toString(),
                attributes.toString(),
                fence.toString(),
                String.valueOf(grants),
                String.valueOf(micros(createdAt)));
        // The holder comes last, because it may be any text.
        return grant == null
                ? head
                : String.join(
                        " ",
                        head,
                        grant.token().secret(),
                        grant.beat().toString(),
                        String.valueOf(millis(grant.term())),
                        String.valueOf(micros(grant.grantedAt())),
                        grant.holder().name());
    }

    /** Parses the output of {@link #toText}; null for anything else, because any program may write the attribute. */
    static @Nullable EntryImprint parse(@Nullable String text) {
        String[] parts = text == null ? new String[0] : text.split(" ", FIELDS);
        boolean isOurs = (parts.length == FIELDS || parts.length == FIELDS_WITHOUT_GRANT) && parts[0].equals(FORMAT);
        if (!isOurs) {
            return null;
        }
        try {
            return new EntryImprint(
                    Version.parse(parts[1]),
                    UUID.fromString(parts[2]),
                    UUID.fromString(parts[3]),
                    Fence.of(Long.parseLong(parts[4])),
                    Long.parseLong(parts[5]),
                    instant(parts[6]),
                    parts.length == FIELDS ? grant(parts) : null);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static Grant grant(String[] parts) {
        return new Grant(
                Token.parse(parts[7]),
                Holder.of(parts[11]),
                term(Long.parseLong(parts[9])),
                Beat.parse(parts[8]),
                instant(parts[10]),
                null);
    }

    /**
     * Returns 0 for a term that the other tool did not record. Only a free entry can still have one; a renewal records
     * it.
     */
    private static long millis(Term term) {
        return term.isKnown() ? term.duration().toMillis() : 0;
    }

    private static Term term(long millis) {
        return millis == 0 ? Term.ofUnknownLength(Duration.ofMillis(1)) : Term.ofMillis(millis);
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    private static Instant instant(String micros) {
        return Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS);
    }
}
