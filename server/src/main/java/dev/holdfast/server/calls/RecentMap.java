package dev.holdfast.server.calls;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A map of bounded size that drops the entry that was used least recently. Thread-safe. */
final class RecentMap<K, V> {
    private final Map<K, V> entries;

    RecentMap(int most) {
        entries = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    synchronized @Nullable V get(K key) {
        return entries.get(key);
    }

    /** Puts an entry, and returns its value. */
    synchronized V put(K key, V value) {
        entries.put(key, value);
        return value;
    }

    synchronized boolean isEmpty() {
        return entries.isEmpty();
    }
}
