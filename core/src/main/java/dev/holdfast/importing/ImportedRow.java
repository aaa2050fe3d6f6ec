package dev.holdfast.importing;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * One key as another tool had it, ready to be written into a store of Holdfast's own. It exceeds no limit: building one
 * that does fails, and the message is the reason to report.
 *
 * @param fingerprint differs after every write of the other tool, and is the same as long as it writes nothing; it does
 *     not change with time alone
 * @param fence at least as high as any number that the other tool gave out for this key; {@link Fence#NONE} if it gave none
 * @param grants how often the key was granted
 * @param grant the last grant; null if none is known
 * @param doneAt null unless the key is done
 */
public record ImportedRow(
        Key key,
        String fingerprint,
        Fence fence,
        long grants,
        @Nullable LastGrant grant,
        Attributes attributes,
        Instant createdAt,
        @Nullable Instant doneAt) {
    /** No store keeps later times. */
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    public ImportedRow {
        if (key.isReserved()) {
            throw ArgumentCheck.bad(
                    "namespace",
                    key.namespace(),
                    "one that does not begin with " + Key.RESERVED_PREFIX + ", which is reserved for Holdfast");
        }
        if (grants < 0) {
            throw ArgumentCheck.bad("grants", grants, ">= 0");
        }
        if (fence.value() == Long.MAX_VALUE) {
            throw ArgumentCheck.bad("fence", fence, "one that can still grow");
        }
        if (doneAt != null && grant == null) {
            throw ArgumentCheck.bad("grant", null, "the last grant, as the key is done");
        }
        createdAt = time("created", createdAt);
        doneAt = doneAt == null ? null : time("done", doneAt);
    }

    private static Instant time(String field, Instant time) {
        if (time.isBefore(Instant.EPOCH) || time.isAfter(LATEST)) {
            throw ArgumentCheck.bad(field, time, "from 1970 to 9999");
        }
        return time.truncatedTo(ChronoUnit.MICROS);
    }

    /** Whether the other tool's holder had the key when the row was read. */
    public boolean isHeld() {
        return doneAt == null && grant != null && !grant.left().isZero();
    }

    /** Whether the row has nothing to import: the key is free, and there is no other data. */
    public boolean isEmpty() {
        return grant == null && doneAt == null && fence.equals(Fence.NONE) && attributes.isEmpty();
    }

    /** The state to store. */
    public LeaseState state() {
        return doneAt != null ? LeaseState.DONE : isHeld() ? LeaseState.HELD : LeaseState.FREE;
    }

    /**
     * The last grant by the other tool.
     *
     * @param token the token of the holder, if it is a UUID; null if the holder has none, so that the lease cannot be
     *     renewed after the import
     * @param left how long the key stays held, counted from when the row was read; zero: it has ended
     * @param endsAt when it ends or ended, for people
     */
    public record LastGrant(@Nullable Token token, Holder holder, Duration left, Instant endsAt) {
        public LastGrant {
            ArgumentCheck.notNegative("time left", left, SizeLimits.TERM_MAX);
            if (Token.HIDDEN.equals(token)) {
                throw ArgumentCheck.bad("token", token, "a random token, not the placeholder for hidden tokens");
            }
            endsAt = time("ends", endsAt);
        }
    }
}
