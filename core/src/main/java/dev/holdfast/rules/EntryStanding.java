package dev.holdfast.rules;

import java.time.Duration;

/**
 * The current standing of an entry, with expiry and anchors resolved.
 *
 * @param remaining for {@link Kind#HELD}: how long until others may be granted the key, unless it is renewed
 */
public record EntryStanding(Kind kind, Duration remaining) {
    /** Resolved states. */
    public enum Kind {
        FREE,
        DONE,
        /** Held, and not expired. */
        HELD,
        /** Expired: its holder has not renewed for a term and the margin. */
        SILENT,
        /** The grant of the anchor that kept it alive has ended. It can never become held again by that grant. */
        ORPHANED,
        /** The anchor that keeps it alive has not been renewed for a term and the margin, but was not evicted yet. */
        ANCHOR_SILENT,
        /** Held through an anchor that this client has not read, or not recently enough. */
        ANCHOR_UNSEEN
    }

    static EntryStanding of(Kind kind) {
        return new EntryStanding(kind, Duration.ZERO);
    }

    /** Whether the key can be acquired: others see it as free, even if it is stored as held. */
    public boolean isFree() {
        return switch (kind) {
            case FREE, SILENT, ORPHANED, ANCHOR_SILENT -> true;
            case DONE, HELD, ANCHOR_UNSEEN -> false;
        };
    }
}
