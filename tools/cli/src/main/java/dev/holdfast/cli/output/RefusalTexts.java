package dev.holdfast.cli.output;

import dev.holdfast.AcquireResult;
import dev.holdfast.EditResult;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseStatus;
import dev.holdfast.LostReason;
import java.time.Duration;

/** Refusals in words: what is so, and what to do next. */
public final class RefusalTexts {
    private RefusalTexts() {}

    public static String refused(AcquireResult result) {
        if (result instanceof AcquireResult.Held held) {
            return shown(held.key()) + " is held by " + held.holder() + ", for another "
                    + DurationSpan.of(held.remaining()) + " unless it is renewed; wait longer with --wait";
        }
        if (result instanceof AcquireResult.Done done) {
            return shown(done.key()) + " is done since " + done.doneAt() + "; to do it again: holdfast reopen";
        }
        throw new AssertionError(result);
    }

    public static String held(Key key, EditResult.Held held) {
        return held(key, held.holder(), held.remaining());
    }

    /** @param status of a key that is held */
    public static String held(LeaseStatus status) {
        return held(status.key(), status.holder().orElseThrow(), status.remaining());
    }

    private static String held(Key key, Holder holder, Duration remaining) {
        return shown(key) + " is held by " + holder + ", for another " + DurationSpan.of(remaining)
                + " unless it is renewed; to take it away: holdfast evict";
    }

    public static String lost(LeaseLostException lost) {
        String key = lost.key().map(RefusalTexts::shown).orElse("the lease");
        return key + " is no longer yours: " + why(lost.reason()) + "; look with: holdfast show";
    }

    public static String why(LostReason reason) {
        return switch (reason) {
            case EXPIRED -> "its term ran out before it was renewed";
            case TAKEN -> "another was granted it";
            case EVICTED -> "it was released, evicted, done or deleted";
            case STORE_UNREACHABLE -> "its term ran out while the store did not answer";
        };
    }

    public static String shown(Key key) {
        return "'" + VisibleText.shortened(key.toString()) + "'";
    }
}
