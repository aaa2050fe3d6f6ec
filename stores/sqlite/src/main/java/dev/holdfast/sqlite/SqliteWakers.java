package dev.holdfast.sqlite;

import dev.holdfast.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Who in this process waits for which key. Thread-safe; wakes without any lock. */
final class SqliteWakers {
    private final Map<Key, Wish> wishes = new ConcurrentHashMap<>();

    /** A key that somebody waits for. */
    static final class Wish {
        final Key key;
        private final Set<Waker> wakers = ConcurrentHashMap.newKeySet();

        /** Whether the key is to be looked at; a new wish is. Only the watch reads and writes this and what follows. */
        private boolean due = true;
        /** What was found when it was last woken; null before. */
        private @Nullable Object wokenFor;

        private Wish(Key key) {
            this.key = key;
        }

        /** Wakes those who wait; but no two times for the same, as each of them tries to write. */
        void wakeFor(Object found) {
            if (!found.equals(wokenFor)) {
                wokenFor = found;
                wakers.forEach(Waker::run);
            }
        }
    }

    /** Not the callback itself: two registrations of one are two. */
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
                // A waiting client also looks again by itself.
            }
        }
    }

    /** Returns what takes it out again. */
    Runnable add(Key key, Runnable wake) {
        Waker waker = new Waker(wake);
        wishes.compute(key, (k, known) -> {
            // A new wish even where there is one, so that nobody misses what the others were woken for before.
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

    /** Something was written: all keys are to be looked at. */
    void changed() {
        wishes.values().forEach(wish -> wish.due = true);
    }

    /** Some of the keys that are to be looked at, which then they are no more. */
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
