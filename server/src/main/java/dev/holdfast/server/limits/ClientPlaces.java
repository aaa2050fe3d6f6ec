package dev.holdfast.server.limits;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The number of places taken by each owner, with a maximum per owner. Thread-safe. */
final class ClientPlaces {
    private final int most;
    private final Map<Object, Integer> taken = new HashMap<>();
    private int total;

    ClientPlaces(int most) {
        this.most = most;
    }

    /** Takes a place. Returns the action that returns it; null if {@code owner} has the maximum already. */
    synchronized @Nullable Runnable take(Object owner) {
        int before = taken.getOrDefault(owner, 0);
        if (before == most) {
            return null;
        }
        taken.put(owner, before + 1);
        total++;
        AtomicBoolean left = new AtomicBoolean();
        return () -> {
            if (left.compareAndSet(false, true)) {
                leave(owner);
            }
        };
    }

    private synchronized void leave(Object owner) {
        taken.computeIfPresent(owner, (any, count) -> count == 1 ? null : count - 1);
        total--;
    }

    int most() {
        return most;
    }

    synchronized int total() {
        return total;
    }
}
