package dev.holdfast.sim.explore;

import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.rules.ValidityRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client.
 *
 * @param slow whether its clocks are at the slow end of the drift bound
 * @param places the number of questions and answers so far
 * @param sends the number of sends so far
 * @param seen the last answer about each key
 * @param held the leases that it has not released and not been told to be lost
 */
record ClientState(
        boolean slow,
        long places,
        long sends,
        List<@Nullable ObservedEntry> seen,
        List<@Nullable HeldKey> held,
        @Nullable RunningRequest running) {
    static ClientState fresh(boolean slow, int keys, long sends) {
        return new ClientState(slow, 0, sends, Collections.nCopies(keys, null), Collections.nCopies(keys, null), null);
    }

    /** The clocks of the client. They differ from those of others by at most a thousandth. */
    ClockReading clock(long nowNanos) {
        long own = slow ? nowNanos * 1000 / 1001 : nowNanos;
        return new ClockReading(own, Instant.EPOCH.plusNanos(own));
    }

    /** Whether the client relies on its lease of a key. */
    boolean relies(int key, int anchorKey, ValidityRules validity, long nowNanos) {
        HeldKey lease = held.get(key);
        if (lease == null) {
            return false;
        }
        HeldKey anchor = lease.anchor() == null ? null : held.get(anchorKey);
        boolean isAnchorGone =
                lease.anchor() != null && (anchor == null || !anchor.fence().equals(lease.anchor()));
        if (isAnchorGone) {
            return false;
        }
        return !validity.remaining(lease.tenure(), anchor == null ? null : anchor.tenure(), clock(nowNanos))
                .isZero();
    }

    ClientState withRunning(@Nullable RunningRequest newRunning) {
        return new ClientState(slow, places, sends, seen, held, newRunning);
    }

    ClientState withPlace() {
        return new ClientState(slow, places + 1, sends, seen, held, running);
    }

    ClientState withSend() {
        return new ClientState(slow, places + 1, sends + 1, seen, held, running);
    }

    ClientState withSeen(int key, ObservedEntry newSeen) {
        List<@Nullable ObservedEntry> all = new ArrayList<>(seen);
        all.set(key, newSeen);
        return new ClientState(slow, places, sends, all, held, running);
    }

    ClientState withHeld(int key, @Nullable HeldKey newHeld) {
        List<@Nullable HeldKey> all = new ArrayList<>(held);
        all.set(key, newHeld);
        return new ClientState(slow, places, sends, seen, all, running);
    }
}
