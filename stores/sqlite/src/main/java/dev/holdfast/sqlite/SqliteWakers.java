package dev.holdfast.sqlite;

import dev.holdfast.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Registry of the clients in this process that wait for a key. Thread-safe; it calls their callbacks without holding a
 * lock.
 */
final class SqliteWakers {
    private final Map<Key, Wish> wishes = new ConcurrentHashMap<>();

    /** A key that at least one client waits for. */
    static final class Wish {
        final Key key;
        private final Set<Waker> wakers = ConcurrentHashMap.newKeySet();

        /** Whether the key must be read; initially true. Only the watch thread accesses this field and the next one. */
        private boolean due = true;
        /** The state found at the last wake-up; null before the first. */
        private @Nullable Object wokenFor;

        private Wish(Key key) {
            this.key = key;
        }

        /** Wakes the waiting clients, but only once for the same state, because each of them then tries to write. */
        void wakeFor(Object found) {
            if (!found.equals(wokenFor)) {
                wokenFor = found;
                wakers.forEach(Waker::run);
            }
        }
    }

    /** Wrapper with its own identity, so that registering one callback twice counts as two. */
    private static final class Waker {
        private final Runnable wake;

        Waker(Runnable wake) {
            this.wake = wake;
        }

        @SuppressWarnings("IllegalCatch") // One bad callback must not keep others from being woken.
        void run() {
            try {
                wake.run();
            } catch (Throwable e) {
                // A waiting client also retries by itself.
            }
        }
    }

    /** Returns a callback that removes the registration. */
    Runnable add(Key key, Runnable wake) {
        Waker waker = new Waker(wake);
        wishes.compute(key, (k, known) -> {
            // Always a new wish, so that the new client also learns of a state that earlier clients were already woken
            // for.
            Wish wish = new Wish(key);
            if (known != null) {
                wish.wakers.addAll(known.wakers);
            }
            wish.wakers.add(waker);
            return wish;
        });
        return () -> wishes.computeIfPresent(key, (k, wish) -> {
            wish.wakers.remove(waker);
            return wish.wakers.isEmpty() ? null : wish;
        });
    }

    boolean isEmpty() {
        return wishes.isEmpty();
    }

    /** Marks all keys to be read, after a write by another process. */
    void changed() {
        wishes.values().forEach(wish -> wish.due = true);
    }

    /** Returns some of the keys that must be read, and clears their marks. */
    List<Wish> due(int limit) {
        List<Wish> due = new ArrayList<>();
        for (Wish wish : wishes.values()) {
            if (wish.due && due.size() < limit) {
                wish.due = false;
                due.add(wish);
            }
        }
        return due;
    }
}
