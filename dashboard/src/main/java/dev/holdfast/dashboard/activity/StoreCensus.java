package dev.holdfast.dashboard.activity;

import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.explanation.RenewalView;
import dev.holdfast.server.security.ReadableNamespaces;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.StatusLookup.ListedPage;
import dev.holdfast.service.StatusLookup.ListedStatus;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Grant;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The count of the keys that some callers may read, and the holders among them that have stopped renewing. It lists all keys page by
 * page, then rests for twenty times as long: so it takes at most a twentieth of one core. It keeps counts, and no keys except those
 * of silent holders.
 */
public final class StoreCensus {
    private static final int PAGE = 500;
    private static final int REST_PER_COUNT = 20;
    private static final Duration SHORTEST_REST = Duration.ofSeconds(5);
    private static final Duration REST_AFTER_ERROR = Duration.ofSeconds(10);
    /** The most silent holders that are kept. More would not fit on any screen. */
    private static final int MOST_SILENT = 100;

    private final LeaseService service;
    private final ReadableNamespaces readable;
    private final HostEnvironment environment;
    private final List<LeaseFilter> parts;
    private volatile @Nullable Census last;
    private HostEnvironment.@Nullable Timer timer;
    private boolean ended;

    /**
     * The result of a count.
     *
     * @param isComplete whether all keys were counted; otherwise the count is still running
     * @param atNanos when the count ended, or was last continued
     */
    public record Census(long held, long free, long done, boolean isComplete, long atNanos, List<SilentHolder> silent) {
        /** The number of keys that were looked at. */
        public long searched() {
            return held + free + done;
        }
    }

    /** A lease that was not renewed for more than half of its term, at the time when it was counted. */
    public record SilentHolder(
            Key key, String holder, Duration term, Duration sinceRenewal, Duration remaining, long seenNanos) {}

    public StoreCensus(LeaseService service, ReadableNamespaces readable) {
        this.service = service;
        this.readable = readable;
        this.environment = service.environment();
        this.parts = NamespaceFilters.of(readable, "");
    }

    /** Starts to count, until {@link #end}. */
    public void begin() {
        rest(Duration.ZERO);
    }

    /** The newest result; empty before the first page. */
    public Optional<Census> last() {
        return Optional.ofNullable(last);
    }

    public synchronized void end() {
        ended = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private synchronized void rest(Duration pause) {
        if (!ended) {
            timer = environment.schedule(pause, () -> environment.execute(() -> new Round().next()));
        }
    }

    private synchronized boolean isEnded() {
        return ended;
    }

    /** One count of all keys. */
    private final class Round {
        private final long begunNanos = environment.nanos();
        private final List<SilentHolder> silent = new ArrayList<>();
        private int part;
        private @Nullable String cursor;
        private long held;
        private long free;
        private long done;

        void next() {
            if (isEnded()) {
                return;
            }
            if (part == parts.size()) {
                end();
                return;
            }
            var page = Futures.contain(() -> service.statuses().list(parts.get(part), cursor, PAGE));
            Futures.whenDone(
                    page,
                    (listed, error) -> environment.execute(() -> {
                        if (listed == null) {
                            rest(REST_AFTER_ERROR);
                        } else {
                            add(listed);
                            next();
                        }
                    }));
        }

        private void add(ListedPage page) {
            for (ListedStatus listed : page.entries()) {
                LeaseStatus status = listed.status();
                held += status.state() == LeaseState.HELD ? 1 : 0;
                free += status.state() == LeaseState.FREE ? 1 : 0;
                done += status.state() == LeaseState.DONE ? 1 : 0;
                if (status.isHeld() && silent.size() < MOST_SILENT) {
                    silent(listed).ifPresent(silent::add);
                }
            }
            cursor = page.cursor();
            part += cursor == null ? 1 : 0;
            Census before = last;
            // The result of the last whole count is better than a part of this one.
            if (before == null || !before.isComplete) {
                last = new Census(held, free, done, false, environment.nanos(), List.copyOf(silent));
            }
        }

        private void end() {
            last = new Census(held, free, done, true, environment.nanos(), List.copyOf(silent));
            Duration pause = Duration.ofNanos(REST_PER_COUNT * (environment.nanos() - begunNanos));
            rest(pause.compareTo(SHORTEST_REST) < 0 ? SHORTEST_REST : pause);
        }
    }

    private Optional<SilentHolder> silent(ListedStatus listed) {
        LeaseStatus status = listed.status();
        Grant grant = status.entry().grant();
        Duration since = listed.sinceBeat();
        AnchorRef anchor = status.entry().heldThrough();
        // A lease that is held through an anchor is as silent as its anchor, which is listed itself.
        boolean isListedByAnchor =
                anchor != null && readable.includes(anchor.key().namespace());
        if (grant == null || since == null || isListedByAnchor) {
            return Optional.empty();
        }
        boolean isOverdue = new RenewalView(Optional.of(since), false, List.of()).isOverdue(grant.term());
        return isOverdue
                ? Optional.of(new SilentHolder(
                        status.key(),
                        grant.holder().name(),
                        grant.term().duration(),
                        since,
                        status.remaining(),
                        environment.nanos()))
                : Optional.empty();
    }
}
