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
 * The one timer for all leases of a client. It renews each in time, gives warnings, and ends each lease at the end of
 * its term, regardless of the store.
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
    private final UnreachableLeases unreachable = new UnreachableLeases(key -> log.warn(
            "{} is still held and renewed, but no code can release it: its Lease object became unreachable without being"
                    + " closed. Close each lease, for example in a try statement.",
            key));
    private long sequence;
    private @Nullable Long armedNanos;

    /** @param background if false, no lease is ever renewed or checked here: there is no thread to do it */
    RenewalTimer(HostEnvironment hostEnvironment, boolean background) {
        this.hostEnvironment = hostEnvironment;
        this.background = background;
    }

    UnreachableLeases unreachable() {
        return unreachable;
    }

    /** Plans the next work for {@code lease}. */
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
            // It ended while it was being planned, and its removal may have come before it was added to the plan.
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
                return; // An earlier timer was armed meanwhile, and replaces this one.
            }
            armedNanos = null;
        }
        try {
            long now = hostEnvironment.nanos();
            for (HeldLease due = pollDue(now); due != null; due = pollDue(now)) {
                tick(due);
            }
            unreachable.check();
        } finally {
            rearm();
        }
    }

    /** A failure for one lease must not affect the others, and that lease is checked again later. */
    private void tick(HeldLease lease) {
        boolean goesOn = true;
        try {
            goesOn = lease.upkeep().tick();
        } catch (Throwable e) {
            log.error("{}: the renewal or check of the lease failed; it is tried again", lease.key(), e);
            // Moves the next attempt into the future. Otherwise the timer would retry without a pause.
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

    /** Leases planned meanwhile have armed the timer themselves; one that was planned before may be due earlier. */
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
