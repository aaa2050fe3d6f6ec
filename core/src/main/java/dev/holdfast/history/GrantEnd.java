package dev.holdfast.history;

import org.jspecify.annotations.Nullable;

/** The way in which a grant ended. */
public enum GrantEnd {
    /** Its holder released it. */
    RELEASED(1, true),
    /** Its holder marked the key done. */
    DONE(2, true),
    /** It was not renewed for its term. It is unknown when: only that it had ended before the write that records it. */
    EXPIRED(3, false),
    /** It was taken from its holder by force. */
    EVICTED(4, true),
    /** Its holder released it, and the same write granted the key to the next in line. */
    HANDED_OVER(5, true),
    /** It was held through an anchor, and the grant of that anchor ended. When, is in the history of the anchor. */
    ORPHANED(6, false),
    /** It reached no caller, and was released for that reason. */
    UNDELIVERED(7, true);

    private static final GrantEnd[] ALL = values();

    private final int code;
    private final boolean atKnownTime;

    GrantEnd(int code, boolean atKnownTime) {
        this.code = code;
        this.atKnownTime = atKnownTime;
    }

    /** Whether the write that records the end is the end itself. Otherwise the grant had ended before. */
    public boolean isAtKnownTime() {
        return atKnownTime;
    }

    /** The number that stands for it in stores. It never changes. */
    int code() {
        return code;
    }

    static @Nullable GrantEnd ofCode(long code) {
        for (GrantEnd end : ALL) {
            if (end.code == code) {
                return end;
            }
        }
        return null;
    }
}
