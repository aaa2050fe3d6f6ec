package dev.holdfast.server.limits;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** Counts who has taken how many places, up to a limit for each. Thread-safe. */
final class ClientPlaces {
    private final int most;
    private final Map<Object, Integer> taken = new HashMap<>();
    private int total;

    ClientPlaces(int most) {
        this.most = most;
    }

    /** Takes a place; false if {@code whose} has the most already. */
    synchronized boolean take(Object whose) {
        int before = taken.getOrDefault(whose, 0);
        if (before == most) {
            return false;
        }
        taken.put(whose, before + 1);
        total++;
        return true;
    }

    private synchronized void leave(Object whose) {
        taken.computeIfPresent(whose, (any, count) -> count == 1 ? null : count - 1);
        total--;
    }

    /** Leaves a place that was taken, once. */
    Runnable leaving(Object whose) {
        AtomicBoolean left = new AtomicBoolean();
        return () -> {
            if (left.compareAndSet(false, true)) {
                leave(whose);
            }
        };
    }

    int most() {
        return most;
    }

    synchronized int total() {
        return total;
    }
}
