package dev.holdfast.internal.rules;

import java.time.Duration;

/**
 * How an entry stands, once expiry and anchors are resolved.
 *
 * @param remaining for {@link Kind#HELD}: how long until others may take it, if it stays silent
 */
public record EntryStanding(Kind kind, Duration remaining) {
    /** Resolved states. */
    public enum Kind {
        FREE,
        DONE,
        /** Held, and not yet silent for long enough. */
        HELD,
        /** Its holder has been silent for a term and the margin. */
        SILENT,
        /** The grant of the anchor that kept it alive has ended. It stays dead for ever. */
        ORPHANED,
        /** The anchor that keeps it alive has been silent for a term and the margin, but nobody has evicted it. */
        ANCHOR_SILENT,
        /** Held through an anchor that we have not seen. */
        ANCHOR_UNSEEN
    }

    static EntryStanding of(Kind kind) {
        return new EntryStanding(kind, Duration.ZERO);
    }

    /** Whether the key can be acquired: others see it as free, whatever is stored. */
    public boolean isFree() {
        return switch (kind) {
            case FREE, SILENT, ORPHANED, ANCHOR_SILENT -> true;
            case DONE, HELD, ANCHOR_UNSEEN -> false;
        };
    }
}
