package dev.holdfast.internal.engine;

import dev.holdfast.model.Key;
import dev.holdfast.spi.ChangeNotifier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Wakes a line when its key, or the anchor that keeps it held, is freed: here, or, where the store tells of it,
 * elsewhere. The lock guards the fields and is never held while calling a store.
 */
final class LineWatch {
    private final Engine engine;
    private final WaitLines lines;
    private final WaitLine line;
    private final Map<Key, ChangeNotifier.Registration> watched = new HashMap<>();
    private final Set<Key> anchors = new HashSet<>();
    private boolean closed;

    LineWatch(Engine engine, WaitLines lines, WaitLine line) {
        this.engine = engine;
        this.lines = lines;
        this.line = line;
    }

    void anchor(Key anchor) {
        synchronized (this) {
            if (closed || !anchors.add(anchor)) {
                return;
            }
            lines.watchAnchor(anchor, line);
        }
        key(anchor);
    }

    void key(Key which) {
        engine.port().notifier().ifPresent(notifier -> {
            synchronized (this) {
                if (closed || watched.containsKey(which)) {
                    return;
                }
            }
            ChangeNotifier.Registration registration = notifier.onFreed(which, line::wake);
            ChangeNotifier.Registration surplus;
            synchronized (this) {
                surplus = closed ? registration : watched.put(which, registration);
            }
            if (surplus != null) {
                surplus.close();
            }
        });
    }

    void close() {
        List<ChangeNotifier.Registration> registrations;
        synchronized (this) {
            closed = true;
            registrations = List.copyOf(watched.values());
            watched.clear();
            anchors.forEach(anchor -> lines.forgetAnchor(anchor, line));
            anchors.clear();
        }
        registrations.forEach(ChangeNotifier.Registration::close);
    }
}
