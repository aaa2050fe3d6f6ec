package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.sim.world.SimWorld;
import dev.holdfast.store.Entry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A check that the grant of a failed or cancelled acquire is released soon, not only when its term is over. It starts
 * once all faults have healed: before that, the release may fail like the acquire.
 */
public final class UndeliveredGrants implements InvariantChecker {
    /** A few round trips, and the pause between two attempts. */
    private static final Duration SOON = Duration.ofMillis(2500);
    /** How long a client tries to determine, or prevent, the effect of a request that timed out. */
    public static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(2);

    private final CheckerSet checkerSet;
    private final SimWorld simWorld;
    private final Map<Key, Long> heldBy = new HashMap<>();
    private final Map<Long, Abandoned> abandoned = new HashMap<>();
    private final Map<Long, Long> lives = new HashMap<>();
    private boolean healed;
    private long healedNanos;

    UndeliveredGrants(CheckerSet checkerSet, SimWorld simWorld) {
        this.checkerSet = checkerSet;
        this.simWorld = simWorld;
    }

    private record Abandoned(SimulatedCall operation, long life, long atNanos) {}

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
    public void began(SimulatedCall simulatedCall) {
        lives.put(simulatedCall.id(), simulatedCall.process().life());
    }

    @Override
    public void answered(SimulatedCall simulatedCall, AcquireResult result) {
        if (!result.isGranted()) {
            abandon(simulatedCall);
        }
    }

    @Override
    public void failed(SimulatedCall simulatedCall, Effect effect) {
        if (effect == Effect.NOT_APPLIED || simWorld.nowNanos() - healedNanos >= SETTLE_TIMEOUT.toNanos()) {
            abandon(simulatedCall);
        }
        // Otherwise the client tried to settle it during the faults, and UNKNOWN is the right result.
    }

    @Override
    public void ended(SimulatedCall simulatedCall) {
        abandon(simulatedCall);
    }

    @Override
    public void healed() {
        healed = true;
        healedNanos = simWorld.nowNanos();
    }

    private void abandon(SimulatedCall simulatedCall) {
        if (healed) {
            long life = lives.getOrDefault(simulatedCall.id(), 0L);
            abandoned.put(simulatedCall.id(), new Abandoned(simulatedCall, life, simWorld.nowNanos()));
        }
    }

    @Override
    public void tick() {
        Iterator<Abandoned> each = abandoned.values().iterator();
        while (each.hasNext()) {
            Abandoned it = each.next();
            if (simWorld.nowNanos() - it.atNanos > SOON.toNanos()) {
                each.remove();
                check(it);
            }
        }
    }

    private void check(Abandoned it) {
        SimulatedCall simulatedCall = it.operation;
        boolean isHeld = heldBy.getOrDefault(simulatedCall.key(), 0L) == simulatedCall.id();
        if (isHeld && simulatedCall.process().life() == it.life) {
            checkerSet.violated(
                    "undelivered grants are released soon", simulatedCall + " failed, and its grant is still held");
        }
    }
}
