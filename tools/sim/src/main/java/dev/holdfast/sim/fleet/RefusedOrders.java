package dev.holdfast.sim.fleet;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.store.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Invariant 11 of a fleet. No order is given while a worker of an older version has been joined for longer than the
 * order takes.
 */
final class RefusedOrders extends InvariantChecker {
    /** The checks and the writes of an order, each within the time limit of a call. */
    private static final long ORDER_NANOS = 4_000_000_000L;

    private final StoredOrders orders;
    private long oldSinceNanos = Long.MAX_VALUE;

    RefusedOrders(StoredOrders orders) {
        this.orders = orders;
    }

    @Override
    public void tick() {
        oldSinceNanos = orders.hasOldWorker() ? Math.min(oldSinceNanos, nowNanos()) : Long.MAX_VALUE;
    }

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        boolean isGiven = orders.isOrder(after) && !orders.isOrder(before);
        if (isGiven
                && after != null
                && after.state() == LeaseState.HELD
                && oldSinceNanos != Long.MAX_VALUE
                && nowNanos() - oldSinceNanos > ORDER_NANOS
                && orders.hasOldWorker()) {
            violated("11, old workers get no orders", key + " was given while an older worker was joined");
        }
    }
}
