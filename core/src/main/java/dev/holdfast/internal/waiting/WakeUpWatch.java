package dev.holdfast.internal.waiting;

import dev.holdfast.Key;
import dev.holdfast.store.ChangeNotifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registrations that wake a wait queue when its key, or the anchor that keeps the key held, is freed. A release in
 * this process wakes it directly, one elsewhere through the store's notifier. Only one anchor is watched at a time: the
 * one that the key is held through now. The lock guards the fields and is never held while calling a store.
 */
final class WakeUpWatch {
    private static final Logger log = LoggerFactory.getLogger(WakeUpWatch.class);

    private final Optional<ChangeNotifier> notifier;
    private final WaitQueues queues;
    private final WaitQueue queue;
    private final Map<Key, ChangeNotifier.Registration> watched = new HashMap<>();
    private @Nullable Key anchor;
    private boolean closed;

    WakeUpWatch(Optional<ChangeNotifier> notifier, WaitQueues queues, WaitQueue queue) {
        this.notifier = notifier;
        this.queues = queues;
        this.queue = queue;
    }

    /**
     * Watches {@code next} instead of the anchor before; null to watch none.
     *
     * @return whether it was not watched before, so that its changes until now went unnoticed
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
                queues.forgetAnchor(before, queue);
            }
            if (next != null) {
                queues.watchAnchor(next, queue);
            }
            anchor = next;
        }
        if (ended != null) {
            end(ended);
        }
        if (next != null) {
            key(next);
        }
        return next != null;
    }

    void key(Key which) {
        notifier.ifPresent(source -> {
            synchronized (this) {
                if (closed || watched.containsKey(which)) {
                    return;
                }
            }
            ChangeNotifier.Registration registration = register(source, which);
            ChangeNotifier.Registration surplus;
            synchronized (this) {
                surplus = closed ? registration : watched.put(which, registration);
            }
            if (surplus != null) {
                end(surplus);
            }
        });
    }

    /** A store that cannot notify costs time, not correctness: the queue attempts by itself at intervals. */
    @SuppressWarnings("IllegalCatch")
    private ChangeNotifier.Registration register(ChangeNotifier source, Key which) {
        try {
            return source.onFreed(which, found -> queue.freed(which, found));
        } catch (Throwable e) {
            log.warn("{} cannot be watched; its release will be noticed later", which, e);
            return () -> {};
        }
    }

    @SuppressWarnings("IllegalCatch")
    private static void end(ChangeNotifier.Registration registration) {
        try {
            registration.close();
        } catch (Throwable e) {
            log.warn("a watched key could not be unregistered", e);
        }
    }

    void close() {
        List<ChangeNotifier.Registration> registrations;
        synchronized (this) {
            closed = true;
            registrations = List.copyOf(watched.values());
            watched.clear();
            if (anchor != null) {
                queues.forgetAnchor(anchor, queue);
                anchor = null;
            }
        }
        registrations.forEach(WakeUpWatch::end);
    }
}
