package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.store.Entry;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A check that the grant of a failed or cancelled acquire is released soon, not only when its term is over. It starts
 * once all faults have healed: before that, the release may fail like the acquire.
 */
public final class UndeliveredGrants extends InvariantChecker {
    /** A few round trips, and the pause between two attempts. */
    private static final Duration SOON = Duration.ofMillis(2500);
    /** How long a client tries to determine, or prevent, the effect of a request that timed out. */
    public static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(2);

    private final Map<Key, Long> heldBy = new HashMap<>();
    /** When each call ended without a grant for its caller. */
    private final Map<SimulatedCall, Long> abandoned = new LinkedHashMap<>();

    private boolean healed;
    private long healedNanos;

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        if (after != null && after.state() == LeaseState.HELD) {
            AcknowledgedWrites.mark(after, AcknowledgedWrites.GRANTED_BY)
                    .ifPresentOrElse(id -> heldBy.put(key, id), () -> heldBy.remove(key));
        } else {
            heldBy.remove(key);
        }
    }

    @Override
    public void answered(SimulatedCall call, AcquireResult result) {
        if (!result.isGranted()) {
            abandon(call);
        }
    }

    @Override
    public void failed(SimulatedCall call, Effect effect) {
        if (effect == Effect.NOT_APPLIED || nowNanos() - healedNanos >= SETTLE_TIMEOUT.toNanos()) {
            abandon(call);
        }
        // Otherwise the client tried to settle it during the faults, and UNKNOWN is the right result.
    }

    @Override
    public void ended(SimulatedCall call) {
        abandon(call);
    }

    @Override
    public void healed() {
        healed = true;
        healedNanos = nowNanos();
    }

    private void abandon(SimulatedCall call) {
        if (healed) {
            abandoned.put(call, nowNanos());
        }
    }

    @Override
    public void tick() {
        abandoned.entrySet().removeIf(each -> {
            boolean isDue = nowNanos() - each.getValue() > SOON.toNanos();
            if (isDue) {
                check(each.getKey());
            }
            return isDue;
        });
    }

    private void check(SimulatedCall call) {
        boolean isHeld = heldBy.getOrDefault(call.key(), 0L) == call.id();
        if (isHeld && call.isOfThisLife()) {
            violated("undelivered grants are released soon", call + " failed, and its grant is still held");
        }
    }
}
