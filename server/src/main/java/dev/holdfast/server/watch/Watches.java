package dev.holdfast.server.watch;

import dev.holdfast.Leases;
import dev.holdfast.internal.Check;
import dev.holdfast.model.Key;
import dev.holdfast.model.Limits;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** All that is watched at one server, one {@link PrefixWatch} for each prefix. Thread-safe. */
public final class Watches implements AutoCloseable {
    private final Leases leases;
    /** Changed under its own lock, so that nobody joins a watch that is being dropped; read without. */
    private final Map<String, PrefixWatch> byPrefix = new ConcurrentHashMap<>();

    public Watches(Leases leases) {
        this.leases = leases;
    }

    /**
     * Watches all keys whose namespace begins with {@code prefix}.
     *
     * @param thread on which {@code sink} is called, and nowhere else
     */
    public Watcher watch(String prefix, Sink sink, Executor thread) {
        Check.text("prefix", prefix, Limits.NAMESPACE_BYTES);
        PrefixWatch watch;
        Watcher watcher;
        synchronized (byPrefix) {
            watch = byPrefix.computeIfAbsent(prefix, it -> new PrefixWatch(leases, it));
            watcher = new Watcher(this, watch, sink, thread);
            watch.join(watcher);
        }
        watch.begin();
        return watcher;
    }

    /** A key was written through this server: whoever watches it need not wait for the next look. */
    public void changed(Key key) {
        byPrefix.forEach((prefix, watch) -> {
            if (key.namespace().startsWith(prefix)) {
                watch.changed(key);
            }
        });
    }

    void leave(PrefixWatch watch, Watcher watcher) {
        synchronized (byPrefix) {
            if (watch.leave(watcher)) {
                byPrefix.remove(watch.prefix(), watch);
            }
        }
    }

    @Override
    public void close() {
        List.copyOf(byPrefix.values()).forEach(PrefixWatch::close);
    }
}
