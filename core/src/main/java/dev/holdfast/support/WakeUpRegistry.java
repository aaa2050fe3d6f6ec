package dev.holdfast.support;

import dev.holdfast.Key;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.Entry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registry of the clients in this process that wait for a key to become free. The store detects that, and wakes them.
 * Thread-safe; it calls their callbacks without holding a lock.
 *
 * @param <N> the name of a key in the notifications of the store
 */
public final class WakeUpRegistry<N> {
    private static final Logger log = LoggerFactory.getLogger(WakeUpRegistry.class);

    private static final Object NO_ENTRY = new Object();

    private final Function<Key, N> naming;
    private final Map<N, WaitedKey> waited = new ConcurrentHashMap<>();

    public WakeUpRegistry(Function<Key, N> naming) {
        this.naming = naming;
    }

    /** A key that at least one client waits for. */
    public static final class WaitedKey {
        private final Key key;
        private final Set<WakeUp> wakeUps = ConcurrentHashMap.newKeySet();

        /** When the store looks at the key next. Only the thread that looks accesses this field and the next one. */
        private long dueNanos;
        /** The state found at the last wake-up; null before the first. */
        private @Nullable Object wokenFor;

        private WaitedKey(Key key, long dueNanos) {
            this.key = key;
            this.dueNanos = dueNanos;
        }

        public Key key() {
            return key;
        }

        /** Sets when to look at the key again. */
        public void dueAt(long nanos) {
            dueNanos = nanos;
        }

        /** @param found the entry, if it was read */
        public void wake(@Nullable Entry found) {
            wakeUps.forEach(wakeUp -> wakeUp.run(key, found));
        }

        /**
         * Wakes the waiting clients, but only once for the same state, because each of them then tries to write.
         *
         * @param found null if there is no entry
         */
        public void wakeOnceFor(@Nullable Entry found) {
            Object state = found == null ? NO_ENTRY : found.version();
            if (!state.equals(wokenFor)) {
                wokenFor = state;
                wake(found);
            }
        }
    }

    /** Not a record, so that registering one callback twice counts as two. */
    private static final class WakeUp {
        private final ChangeNotifier.WakeUp action;

        WakeUp(ChangeNotifier.WakeUp action) {
            this.action = action;
        }

        @SuppressWarnings("IllegalCatch") // One bad callback must not keep others from being woken.
        void run(Key key, @Nullable Entry found) {
            try {
                action.wake(found);
            } catch (Throwable e) {
                log.warn("{}: the wake-up callback failed; its client tries again by itself", key, e);
            }
        }
    }

    /** Registers {@code wake}. The store looks at its key at {@code nowNanos}, that is, as soon as it can. */
    public ChangeNotifier.Registration add(Key key, ChangeNotifier.WakeUp wake, long nowNanos) {
        N name = naming.apply(key);
        WakeUp wakeUp = new WakeUp(wake);
        waited.compute(name, (n, known) -> {
            // Always a new one, so that the new client also learns of a state that earlier clients were already woken
            // for.
            WaitedKey next = new WaitedKey(key, nowNanos);
            if (known != null) {
                next.wakeUps.addAll(known.wakeUps);
            }
            next.wakeUps.add(wakeUp);
            return next;
        });
        return () -> waited.computeIfPresent(name, (n, known) -> {
            known.wakeUps.remove(wakeUp);
            return known.wakeUps.isEmpty() ? null : known;
        });
    }

    public boolean isEmpty() {
        return waited.isEmpty();
    }

    /** Returns at most {@code limit} of the keys that the store should look at now. */
    public List<WaitedKey> due(long nowNanos, int limit) {
        return waited.values().stream()
                .filter(key -> key.dueNanos - nowNanos <= 0)
                .limit(limit)
                .toList();
    }

    /** Makes all keys due, after a change that may concern any of them. */
    public void allDueAt(long nanos) {
        waited.values().forEach(key -> key.dueAt(nanos));
    }

    /**
     * Wakes the clients that wait for a key, if there are any.
     *
     * @param found its entry, if it was read
     */
    public void wake(N name, @Nullable Entry found) {
        WaitedKey key = waited.get(name);
        if (key != null) {
            key.wake(found);
        }
    }

    public void wakeAll() {
        waited.values().forEach(key -> key.wake(null));
    }
}
