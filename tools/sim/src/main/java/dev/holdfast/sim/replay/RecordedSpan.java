package dev.holdfast.sim.replay;

import java.util.ArrayList;
import java.util.List;

/** A time during which something lasted: a fault, a term of a holder, or a state of a key in the store. */
final class RecordedSpan {
    final String lane;
    /** The key, or the kind of the fault. */
    final String subject;

    final String label;
    final long fromNanos;
    /** The end, as far as it was known when the span began or was last extended. */
    long untilNanos;
    /** The end; {@link Long#MAX_VALUE} until it came. */
    long toNanos = Long.MAX_VALUE;

    /** The times at which the span was extended. */
    final List<Long> renewals = new ArrayList<>();

    String ending = "";
    boolean isClash;

    RecordedSpan(String lane, String subject, String label, long fromNanos, long untilNanos) {
        this.lane = lane;
        this.subject = subject;
        this.label = label;
        this.fromNanos = fromNanos;
        this.untilNanos = untilNanos;
    }

    boolean isOpen() {
        return toNanos == Long.MAX_VALUE;
    }

    /** Ends the span now, or earlier if its end had passed already. */
    void end(long nowNanos, String how) {
        if (isOpen()) {
            toNanos = Math.max(fromNanos, Math.min(nowNanos, untilNanos));
            ending = how;
        }
    }

    boolean touches(long startNanos, long endNanos) {
        return fromNanos <= endNanos && Math.min(toNanos, untilNanos) >= startNanos;
    }
}
