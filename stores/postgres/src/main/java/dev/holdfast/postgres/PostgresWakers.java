package dev.holdfast.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.Key;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registry of the clients in this process that wait for a key. Thread-safe; it calls their callbacks without holding a
 * lock.
 */
final class PostgresWakers {
    private static final Logger log = LoggerFactory.getLogger(PostgresStore.class);

    private final Map<Key, Wish> wishes = new ConcurrentHashMap<>();
    private final Map<String, Key> byPayload = new ConcurrentHashMap<>();

    /** A key that at least one client waits for. */
    static final class Wish {
        private final Set<Waker> wakers = ConcurrentHashMap.newKeySet();

        /** When to mark the key in the database (again). Only the listener's thread accesses it. */
        long dueNanos;

        Wish(long dueNanos) {
            this.dueNanos = dueNanos;
        }
    }

    /** Not a record, so that registering one callback twice counts as two. */
    private static final class Waker {
        private final Runnable action;

        Waker(Runnable action) {
            this.action = action;
        }
    }

    /** Returns a callback that removes the registration. */
    Runnable add(Key key, Runnable wake, long nowNanos) {
        Waker waker = new Waker(wake);
        String payload = payload(key);
        wishes.compute(key, (k, known) -> {
            Wish wish = known == null ? new Wish(nowNanos) : known;
            wish.wakers.add(waker);
            byPayload.put(payload, key);
            return wish;
        });
        return () -> wishes.computeIfPresent(key, (k, wish) -> {
            wish.wakers.remove(waker);
            if (!wish.wakers.isEmpty()) {
                return wish;
            }
            byPayload.remove(payload);
            return null;
        });
    }

    boolean isEmpty() {
        return wishes.isEmpty();
    }

    /** Returns the keys to mark in the database now. */
    List<Map.Entry<Key, Wish>> due(long nowNanos, int limit) {
        List<Map.Entry<Key, Wish>> due = new ArrayList<>();
        for (Map.Entry<Key, Wish> wish : wishes.entrySet()) {
            if (wish.getValue().dueNanos - nowNanos <= 0 && due.size() < limit) {
                due.add(Map.entry(wish.getKey(), wish.getValue()));
            }
        }
        return due;
    }

    void wake(String payload) {
        Key key = byPayload.get(payload);
        if (key != null) {
            wake(key);
        }
    }

    void wakeAll() {
        List.copyOf(wishes.keySet()).forEach(this::wake);
    }

    @SuppressWarnings("IllegalCatch") // One bad callback must not keep the others from being woken.
    void wake(Key key) {
        Wish wish = wishes.get(key);
        for (Waker waker : wish == null ? Set.<Waker>of() : wish.wakers) {
            try {
                waker.action.run();
            } catch (RuntimeException e) {
                log.warn("{}: the wake-up callback failed", key, e);
            }
        }
    }

    /** Returns the same payload that {@link BatchStatements} computes in the database. */
    static String payload(Key key) {
        String text = key.namespace().codePointCount(0, key.namespace().length()) + ":" + key.namespace() + key.name();
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
