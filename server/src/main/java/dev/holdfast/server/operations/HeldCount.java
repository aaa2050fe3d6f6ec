package dev.holdfast.server.operations;

import dev.holdfast.AsyncLeases;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.Futures;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The number of held keys, counted periodically, page by page: a server keeps no list of them. */
final class HeldCount {
    /** The count stops here: this value means "at least this many". */
    static final int MOST = 100_000;

    private static final Duration EVERY = Duration.ofMinutes(1);
    /**
     * The count runs at most one part in this many of the time, because listing takes work, and on some stores costs
     * money.
     */
    private static final int SHARE = 100;

    private static final int PAGE = 1_000;

    private final AsyncLeases leases;
    private final HostEnvironment hostEnvironment;
    private volatile int last;
    private HostEnvironment.Timer timer;
    private volatile long begunNanos;
    private boolean ended;

    HeldCount(AsyncLeases leases, HostEnvironment hostEnvironment) {
        this.leases = leases;
        this.hostEnvironment = hostEnvironment;
        this.timer = hostEnvironment.schedule(Duration.ofSeconds(1), this::begin);
    }

    int last() {
        return last;
    }

    private void begin() {
        begunNanos = hostEnvironment.nanos();
        count(null, 0);
    }

    private void count(@Nullable String cursor, int before) {
        try {
            LeaseFilter held = LeaseFilter.all().state(LeaseState.HELD);
            Futures.whenDone(leases.list(held, cursor, PAGE), (page, error) -> {
                int now = before + (page == null ? 0 : page.statuses().size());
                boolean more = page != null && page.cursor() != null && now < MOST;
                if (more) {
                    count(page.cursor(), now);
                    return;
                }
                if (error == null) {
                    last = Math.min(now, MOST);
                }
                scheduleNext();
            });
        } catch (IllegalStateException e) {
            end(); // The leases are closed.
        }
    }

    private synchronized void scheduleNext() {
        if (!ended) {
            Duration pause =
                    Duration.ofNanos(hostEnvironment.nanos() - begunNanos).multipliedBy(SHARE);
            timer = hostEnvironment.schedule(pause.compareTo(EVERY) < 0 ? EVERY : pause, this::begin);
        }
    }

    synchronized void end() {
        ended = true;
        timer.cancel();
    }
}
