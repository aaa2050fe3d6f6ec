package dev.holdfast.server.watch;

import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.service.LeaseService;
import dev.holdfast.support.ArgumentCheck;
import java.util.concurrent.Executor;

/** All watches of one server. Thread-safe. */
public final class WatchRegistry implements AutoCloseable {
    /**
     * The fraction of the heap for the statuses of watched keys; the rest is for requests. With 1 GiB it holds about
     * 250,000 keys without attributes.
     */
    private static final int STATUS_SHARE = 4;

    /** The fraction of the heap for data that was written and not read. */
    private static final int UNREAD_SHARE = 16;

    private final Leases leases;
    private final WatchedStatuses table = new WatchedStatuses();
    private final WatchSendBudget budget;
    private final SharedScan scan;

    public WatchRegistry(Leases leases) {
        this(
                leases,
                Runtime.getRuntime().maxMemory() / STATUS_SHARE,
                Runtime.getRuntime().maxMemory() / UNREAD_SHARE);
    }

    WatchRegistry(Leases leases, long statusBytes, long unreadBytes) {
        this.leases = leases;
        this.budget = new WatchSendBudget(unreadBytes);
        this.scan = new SharedScan(leases, table, budget, statusBytes);
    }

    /**
     * Watches all keys of {@code scope}.
     *
     * @param thread the only thread on which {@code watchSink} is called
     */
    public StatusWatch watch(WatchScope scope, WatchSink watchSink, Executor thread) {
        if (scope.ranges().isEmpty()) {
            throw ArgumentCheck.bad("ranges", "none", "at least one");
        }
        StatusWatch statusWatch = new StatusWatch(
                this, scope, watchSink, thread, LeaseService.of(leases).environment()::nanos);
        scan.join(statusWatch);
        return statusWatch;
    }

    /** Records that a key was written through this server, so that its watches need not wait for the next scan. */
    public void changed(Key key) {
        scan.changed(key);
    }

    void leave(StatusWatch statusWatch) {
        scan.leave(statusWatch);
    }

    WatchedStatuses table() {
        return table;
    }

    WatchSendBudget budget() {
        return budget;
    }

    @Override
    public void close() {
        scan.watchers().forEach(statusWatch -> statusWatch.fail(new IllegalStateException("the server is closed")));
    }
}
