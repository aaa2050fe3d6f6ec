package dev.holdfast.server.extension;

import dev.holdfast.Key;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The listeners that are notified of every key that is written through this server. Thread-safe. */
public final class ChangedKeys {
    private final List<Consumer<Key>> listeners = new CopyOnWriteArrayList<>();

    public Runnable add(Consumer<Key> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    public void changed(Key key) {
        for (Consumer<Key> listener : listeners) {
            listener.accept(key);
        }
    }
}
