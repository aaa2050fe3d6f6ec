package dev.holdfast.server.watch;

import dev.holdfast.LeaseStatus;
import dev.holdfast.model.Key;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * One who watches. It remembers which keys it has not told of, not what happened to them: who reads slowly gets the
 * latest states, and what waits for him is never more than there are keys.
 */
public final class Watcher {
    /** Keys in one message: small enough that others on the same connection get their turn. */
    private static final int TOLD_AT_ONCE = 256;

    private final Watches watches;
    private final PrefixWatch watch;
    private final Sink sink;
    private final Executor thread;

    private final Set<Key> untold = new LinkedHashSet<>();
    private boolean knowsAll;
    private boolean toldInSync;
    private boolean left;

    Watcher(Watches watches, PrefixWatch watch, Sink sink, Executor thread) {
        this.watches = watches;
        this.watch = watch;
        this.sink = sink;
        this.thread = thread;
    }

    /** The sink can take more. */
    public void ready() {
        thread.execute(this::tell);
    }

    /** Ends the watch. Idempotent. */
    public void leave() {
        synchronized (this) {
            left = true;
            untold.clear();
        }
        watches.leave(watch, this);
    }

    /** Adds what has changed. Until it knows all there is, this does not concern it. */
    void changed(Collection<Key> keys) {
        synchronized (this) {
            if (left || !knowsAll) {
                return;
            }
            untold.addAll(keys);
        }
        ready();
    }

    /** Begins with all that there is. */
    void begin(Collection<Key> all) {
        synchronized (this) {
            if (left || knowsAll) {
                return;
            }
            knowsAll = true;
            untold.addAll(all);
        }
        ready();
    }

    /** Ends the watch for {@code reason}. */
    public void fail(Throwable reason) {
        leave();
        thread.execute(() -> sink.fail(reason));
    }

    /** On {@link #thread} only. */
    private void tell() {
        while (sink.isReady()) {
            List<Key> keys = new ArrayList<>();
            boolean inSync;
            synchronized (this) {
                if (left || !knowsAll || (untold.isEmpty() && toldInSync)) {
                    return;
                }
                Iterator<Key> next = untold.iterator();
                while (next.hasNext() && keys.size() < TOLD_AT_ONCE) {
                    keys.add(next.next());
                    next.remove();
                }
                inSync = untold.isEmpty() && !toldInSync;
                toldInSync |= inSync;
            }
            tell(keys, inSync);
        }
    }

    private void tell(List<Key> keys, boolean inSync) {
        List<LeaseStatus> statuses = new ArrayList<>(keys.size());
        List<Key> removed = new ArrayList<>();
        for (Key key : keys) {
            LeaseStatus latest = watch.latest(key);
            if (latest == null) {
                removed.add(key);
            } else {
                statuses.add(latest);
            }
        }
        sink.tell(statuses, removed, inSync);
    }
}
