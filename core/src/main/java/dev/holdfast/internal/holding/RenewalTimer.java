package dev.holdfast.internal.holding;

import dev.holdfast.Lease;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after all leases of a client on one timer: renews each in time, warns, and ends the belief in one whose term
 * has run out, whatever the store does.
 *
 * <p>A timer is armed for the earliest lease only, and stays armed when that lease ends early: most leases are released
 * long before anything is due, and then cost no timer at all.
 *
 * <p>Thread-safe. The lock guards the plan; leases are called without it.
 */
final class RenewalTimer {
    private static final Logger log = LoggerFactory.getLogger(Lease.class);

    private final HostEnvironment hostEnvironment;
    private final boolean background;
    private final TreeMap<Slot, HeldLease> plan = new TreeMap<>();
    private final IdentityHashMap<HeldLease, Slot> slots = new IdentityHashMap<>();
    private long sequence;
    private @Nullable Long armedNanos;

    /** @param background if not, nothing is ever looked after: there is no thread to do it */
    RenewalTimer(HostEnvironment hostEnvironment, boolean background) {
        this.hostEnvironment = hostEnvironment;
        this.background = background;
    }

    /** Plans what is next due for {@code lease}. */
    void plan(HeldLease lease) {
        Long next = background ? lease.upkeep().nextTickNanos() : null;
        if (next == null) {
            forget(lease);
            return;
        }
        boolean earlier;
        synchronized (this) {
            Slot slot = new Slot(next, sequence++);
            Slot before = slots.put(lease, slot);
            if (before != null) {
                plan.remove(before);
            }
            plan.put(slot, lease);
            earlier = armedNanos == null || next - armedNanos < 0;
            if (earlier) {
                armedNanos = next;
            }
        }
        if (lease.hasEnded()) {
            // It ended while it was being planned, and whoever ended it may have been too early to be heard.
            forget(lease);
        } else if (earlier) {
            arm(next);
        }
    }

    void forget(HeldLease lease) {
        synchronized (this) {
            Slot slot = slots.remove(lease);
            if (slot != null) {
                plan.remove(slot);
            }
        }
    }

    private void arm(long atNanos) {
        Duration delay = Duration.ofNanos(Math.max(0, atNanos - hostEnvironment.nanos()));
        hostEnvironment.schedule(delay, () -> wake(atNanos));
    }

    private void wake(long armedFor) {
        synchronized (this) {
            if (armedNanos == null || armedNanos != armedFor) {
                return; // An earlier one was armed meanwhile, and has taken over.
            }
            armedNanos = null;
        }
        try {
            long now = hostEnvironment.nanos();
            for (HeldLease due = pollDue(now); due != null; due = pollDue(now)) {
                tick(due);
            }
        } finally {
            rearm();
        }
    }

    /** Whatever goes wrong with one lease, the others are looked after, and that one is looked at again. */
    private void tick(HeldLease lease) {
        boolean goesOn = true;
        try {
            goesOn = lease.upkeep().tick();
        } catch (Throwable e) {
            log.error("{}: could not be looked after this time", lease.key(), e);
            // Moves the next attempt into the future; else this would try again without a pause.
            lease.upkeep().failed(false);
        }
        if (goesOn) {
            plan(lease);
        }
    }

    private synchronized @Nullable HeldLease pollDue(long now) {
        Map.Entry<Slot, HeldLease> first = plan.firstEntry();
        if (first == null || first.getKey().atNanos - now > 0) {
            return null;
        }
        plan.remove(first.getKey());
        slots.remove(first.getValue());
        return first.getValue();
    }

    /** What was planned meanwhile has armed the timer for itself; what was planned before may be due earlier. */
    private void rearm() {
        Long next = null;
        synchronized (this) {
            long first = plan.isEmpty() ? 0 : plan.firstKey().atNanos;
            if (!plan.isEmpty() && (armedNanos == null || first - armedNanos < 0)) {
                next = first;
                armedNanos = next;
            }
        }
        if (next != null) {
            arm(next);
        }
    }

    private record Slot(long atNanos, long sequence) implements Comparable<Slot> {
        @Override
        public int compareTo(Slot other) {
            long difference = atNanos - other.atNanos;
            return difference != 0 ? Long.signum(difference) : Long.compare(sequence, other.sequence);
        }
    }
}
