package dev.holdfast.server.watch;

import dev.holdfast.Leases;
import dev.holdfast.internal.Check;
import dev.holdfast.model.Key;
import java.util.concurrent.Executor;

/** All watches of one server. Thread-safe. */
public final class Watches implements AutoCloseable {
    /**
     * The part of the heap that the statuses of watched keys may take: the rest is for requests. With 1 GiB it holds about
     * 250,000 keys without attributes.
     */
    private static final int STATUS_SHARE = 4;

    /** The part of the heap for what was written and not read. */
    private static final int UNREAD_SHARE = 16;

    private final Leases leases;
    private final StatusTable table = new StatusTable();
    private final SendBudget budget;
    private final SharedScan scan;

    public Watches(Leases leases) {
        this(
                leases,
                Runtime.getRuntime().maxMemory() / STATUS_SHARE,
                Runtime.getRuntime().maxMemory() / UNREAD_SHARE);
    }

    Watches(Leases leases, long statusBytes, long unreadBytes) {
        this.leases = leases;
        this.budget = new SendBudget(unreadBytes);
        this.scan = new SharedScan(leases, table, budget, statusBytes);
    }

    /**
     * Watches all keys of {@code scope}.
     *
     * @param thread on which {@code sink} is called, and nowhere else
     */
    public Watcher watch(WatchScope scope, Sink sink, Executor thread) {
        if (scope.ranges().isEmpty()) {
            throw Check.bad("ranges", "none", "at least one");
        }
        Watcher watcher = new Watcher(this, scope, sink, thread, leases.runtime()::nanos);
        scan.join(watcher);
        return watcher;
    }

    /** A key was written through this server: its watchers need not wait for the next scan. */
    public void changed(Key key) {
        scan.changed(key);
    }

    void leave(Watcher watcher) {
        scan.leave(watcher);
    }

    StatusTable table() {
        return table;
    }

    SendBudget budget() {
        return budget;
    }

    @Override
    public void close() {
        scan.watchers().forEach(watcher -> watcher.fail(new IllegalStateException("the server is closed")));
    }
}
