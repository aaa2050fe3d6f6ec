package dev.holdfast.cli.output;

import dev.holdfast.AcquireResult;
import dev.holdfast.EditResult;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseStatus;
import dev.holdfast.LostReason;
import java.time.Duration;

/** Messages for rejected requests and lost leases: the cause, and the next step for the user. */
public final class RefusalTexts {
    private RefusalTexts() {}

    public static String refused(AcquireResult result) {
        if (result instanceof AcquireResult.HeldByAnother held) {
            return shown(held.key()) + " is held by " + held.holder() + "; expires in "
                    + DurationSpan.of(held.remaining()) + " unless renewed; to wait longer: --wait TIME";
        }
        if (result instanceof AcquireResult.Done done) {
            return shown(done.key()) + " was marked done at " + done.doneAt() + "; to allow it again: holdfast reopen";
        }
        throw new AssertionError(result);
    }

    public static String held(Key key, AcquireResult.HeldByAnother held) {
        return held(key, held.holder(), held.remaining());
    }

    /** @param status of a key that is held */
    public static String held(LeaseStatus status) {
        return held(status.key(), status.holder().orElseThrow(), status.remaining());
    }

    private static String held(Key key, Holder holder, Duration remaining) {
        return shown(key) + " is held by " + holder + "; expires in " + DurationSpan.of(remaining)
                + " unless renewed; to evict the holder: holdfast evict";
    }

    public static String lost(LeaseLostException lost) {
        String key = lost.key().map(RefusalTexts::shown).orElse("the lease");
        return key + " is no longer yours: " + why(lost.reason()) + "; see: holdfast show";
    }

    public static String why(LostReason reason) {
        return switch (reason) {
            case EXPIRED -> "its term expired before it was renewed";
            case TAKEN -> "another holder acquired it";
            case EVICTED -> "it was released, evicted, done or deleted";
            case STORE_UNREACHABLE -> "its term expired while the store did not respond";
        };
    }

    public static String shown(Key key) {
        return "'" + VisibleText.shortened(key.toString()) + "'";
    }
}
