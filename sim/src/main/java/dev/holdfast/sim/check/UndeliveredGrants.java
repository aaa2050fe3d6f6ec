package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.sim.world.World;
import dev.holdfast.spi.StoreException.Effect;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A grant whose acquire failed, or was cancelled, is freed soon, and not only when its term is over. Checked once nothing
 * goes wrong any more: before that, the release may fail as the acquire did.
 */
public final class UndeliveredGrants implements Checker {
    /** A few round trips, and the rest between two attempts. */
    private static final Duration SOON = Duration.ofMillis(2500);
    /** How long a client goes on to find out, or to prevent, the effect of a request that it gave up. */
    public static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(2);

    private final Checks checks;
    private final World world;
    private final Map<Key, Long> heldBy = new HashMap<>();
    private final Map<Long, Abandoned> abandoned = new HashMap<>();
    private final Map<Long, Long> lives = new HashMap<>();
    private boolean healed;
    private long healedNanos;

    UndeliveredGrants(Checks checks, World world) {
        this.checks = checks;
        this.world = world;
    }

    private record Abandoned(Operation operation, long life, long atNanos) {}

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        if (after != null && after.state() == State.HELD) {
            Acknowledgements.mark(after, Acknowledgements.GRANTED_BY)
                    .ifPresentOrElse(id -> heldBy.put(key, id), () -> heldBy.remove(key));
        } else {
            heldBy.remove(key);
        }
    }

    @Override
    public void began(Operation operation) {
        lives.put(operation.id(), operation.process().life());
    }

    @Override
    public void answered(Operation operation, AcquireResult result) {
        if (!result.isGranted()) {
            abandon(operation);
        }
    }

    @Override
    public void failed(Operation operation, Effect effect) {
        if (effect == Effect.NOT_APPLIED || world.nowNanos() - healedNanos >= SETTLE_TIMEOUT.toNanos()) {
            abandon(operation);
        }
        // Otherwise the client tried to settle it during the faults, and UNKNOWN is the right answer.
    }

    @Override
    public void ended(Operation operation) {
        abandon(operation);
    }

    @Override
    public void healed() {
        healed = true;
        healedNanos = world.nowNanos();
    }

    private void abandon(Operation operation) {
        if (healed) {
            long life = lives.getOrDefault(operation.id(), 0L);
            abandoned.put(operation.id(), new Abandoned(operation, life, world.nowNanos()));
        }
    }

    @Override
    public void tick() {
        Iterator<Abandoned> each = abandoned.values().iterator();
        while (each.hasNext()) {
            Abandoned it = each.next();
            if (world.nowNanos() - it.atNanos > SOON.toNanos()) {
                each.remove();
                check(it);
            }
        }
    }

    private void check(Abandoned it) {
        Operation operation = it.operation;
        boolean isHeld = heldBy.getOrDefault(operation.key(), 0L) == operation.id();
        if (isHeld && operation.process().life() == it.life) {
            checks.violated("undelivered grants are freed soon", operation + " failed, and its grant is still held");
        }
    }
}
