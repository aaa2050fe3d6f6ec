package dev.holdfast.internal.engine;

import dev.holdfast.model.Key;
import dev.holdfast.spi.ChangeNotifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Wakes a line when its key, or the anchor that keeps it held, is freed: in this process, or, where the store notifies,
 * elsewhere. It watches one anchor at a time, the one that the key is held through now. The lock guards the fields and is
 * never held while calling a store.
 */
final class LineWatch {
    private final Engine engine;
    private final WaitLines lines;
    private final WaitLine line;
    private final Map<Key, ChangeNotifier.Registration> watched = new HashMap<>();
    private @Nullable Key anchor;
    private boolean closed;

    LineWatch(Engine engine, WaitLines lines, WaitLine line) {
        this.engine = engine;
        this.lines = lines;
        this.line = line;
    }

    /**
     * Watches {@code next} instead of the anchor before; null to watch none.
     *
     * @return whether it was not watched before, so that what happened to it until now went unnoticed
     */
    boolean anchor(@Nullable Key next) {
        Key before;
        ChangeNotifier.Registration ended;
        synchronized (this) {
            before = anchor;
            if (closed || Objects.equals(before, next)) {
                return false;
            }
            ended = before == null ? null : watched.remove(before);
            if (before != null) {
                lines.forgetAnchor(before, line);
            }
            if (next != null) {
                lines.watchAnchor(next, line);
            }
            anchor = next;
        }
        if (ended != null) {
            ended.close();
        }
        if (next != null) {
            key(next);
        }
        return next != null;
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
            if (anchor != null) {
                lines.forgetAnchor(anchor, line);
                anchor = null;
            }
        }
        registrations.forEach(ChangeNotifier.Registration::close);
    }
}
