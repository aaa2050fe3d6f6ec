package dev.holdfast.server.watch;

import dev.holdfast.AsyncLeases;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The repeated scan of the store that serves all watches, as long as there are any. Keys written through this server
 * are read immediately, one by one. The next scan finds keys written elsewhere and keys that expired.
 *
 * <p>Only one read runs at a time, of a page or of a key. So a later result is also a newer one, and the table never
 * goes back in time. Results are handled on the callback threads, where they delay neither the store nor a request.
 *
 * <p>The lock guards the fields. It is never held while calling out, except into the table, which has a leaf lock.
 */
public final class SharedScan implements AutoCloseable {
    /**
     * The fraction of the heap for the statuses of watched keys; the rest is for requests. With 1 GiB it holds about
     * 250,000 keys without attributes.
     */
    private static final int STATUS_SHARE = 4;

    /** The fraction of the heap for data that was written and not read. */
    private static final int UNREAD_SHARE = 16;

    /** The pause between two scans. */
    private static final Duration PAUSE = Duration.ofMillis(500);
    /**
     * A long scan is followed by a pause of this many times its length, so watches take at most a fifth of one
     * connection.
     */
    private static final int PAUSE_PER_SCAN = 4;

    /** The interval of checks for slow readers: a scan may take far longer. */
    private static final Duration CHECK = Duration.ofSeconds(1);

    /** If more keys than this are written, a full scan is cheaper. */
    private static final int MOST_WRITTEN = 1_000;

    /** The maximum number of single keys read between two pages. */
    private static final int KEYS_PER_PAGE = 50;

    private static final Logger log = LoggerFactory.getLogger(SharedScan.class);

    private final AsyncLeases leases;
    private final HostEnvironment hostEnvironment;
    final WatchedStatuses table = new WatchedStatuses();
    final WatchSendBudget budget;
    private final long mostBytes;

    private final Set<StatusWatch> watchers = new LinkedHashSet<>();
    private final Set<StatusWatch> newcomers = new LinkedHashSet<>();
    /** Keys that were written through this server and have not been read since. */
    private final Set<Key> written = new LinkedHashSet<>();
    /** The ranges that the current or last round scans. */
    private volatile NamespaceRangeSet ranges = NamespaceRangeSet.EMPTY;

    private @Nullable SharedScanRound round;
    private long rounds;
    private boolean reading;
    private int keysSincePage;
    private boolean urgent;
    private long lastEndNanos;
    private long lastLengthNanos;
    private HostEnvironment.@Nullable Timer nextRound;
    private HostEnvironment.@Nullable Timer nextCheck;

    public SharedScan(AsyncLeases leases, HostEnvironment hostEnvironment) {
        this(
                leases,
                hostEnvironment,
                Runtime.getRuntime().maxMemory() / STATUS_SHARE,
                Runtime.getRuntime().maxMemory() / UNREAD_SHARE);
    }

    SharedScan(AsyncLeases leases, HostEnvironment hostEnvironment, long statusBytes, long unreadBytes) {
        this.leases = leases;
        this.hostEnvironment = hostEnvironment;
        this.budget = new WatchSendBudget(unreadBytes);
        this.mostBytes = statusBytes;
        this.lastEndNanos = hostEnvironment.nanos() - PAUSE.toNanos();
    }

    /**
     * Watches all keys of {@code scope}. The watch begins to send after a scan that starts from now on, so it shows at
     * least all earlier writes of its client.
     *
     * @param thread the only thread on which {@code watchSink} is called
     */
    public StatusWatch watch(WatchScope scope, WatchSink watchSink, Executor thread) {
        if (scope.ranges().isEmpty()) {
            throw ArgumentCheck.bad("ranges", "none", "at least one");
        }
        StatusWatch statusWatch = new StatusWatch(this, scope, watchSink, thread, hostEnvironment::nanos);
        synchronized (this) {
            watchers.add(statusWatch);
            newcomers.add(statusWatch);
            urgent = true;
            if (nextCheck == null) {
                nextCheck = hostEnvironment.schedule(CHECK, this::checkReaders);
            }
        }
        planRound();
        return statusWatch;
    }

    @Override
    public void close() {
        watchers().forEach(statusWatch -> statusWatch.fail(new IllegalStateException("the server is closed")));
    }

    private void checkReaders() {
        synchronized (this) {
            nextCheck = watchers.isEmpty() ? null : hostEnvironment.schedule(CHECK, this::checkReaders);
        }
        hostEnvironment.execute(() -> budget.endUnread(hostEnvironment.nanos()));
    }

    /** Removes a watch. After the last one, nothing more is read, and the table is cleared. */
    synchronized void leave(StatusWatch statusWatch) {
        newcomers.remove(statusWatch);
        if (watchers.remove(statusWatch) && watchers.isEmpty()) {
            stop();
        }
    }

    private synchronized void stop() {
        if (nextRound != null) {
            nextRound.cancel();
            nextRound = null;
        }
        round = null;
        ranges = NamespaceRangeSet.EMPTY;
        written.clear();
        table.clear();
    }

    private synchronized List<StatusWatch> watchers() {
        return List.copyOf(watchers);
    }

    /** Records that a key was written through this server, so that its watches need not wait for the next scan. */
    public void changed(Key key) {
        if (!ranges.includes(key.namespace())) {
            return;
        }
        boolean isIdle;
        boolean tooMany;
        synchronized (this) {
            if (watchers.isEmpty()) {
                return;
            }
            written.add(key);
            tooMany = written.size() > MOST_WRITTEN;
            if (tooMany) {
                written.clear();
                urgent = true;
            }
            isIdle = !reading;
        }
        if (tooMany) {
            planRound();
        } else if (isIdle) {
            // On another thread: this one belongs to a request, which must not do the work of others.
            hostEnvironment.execute(this::readNext);
        }
    }

    /** Schedules the next round. */
    private void planRound() {
        synchronized (this) {
            if (round != null || watchers.isEmpty()) {
                return;
            }
            if (nextRound != null) {
                nextRound.cancel();
            }
            // A new watch does not wait for the whole pause, but there is always some pause between scans.
            long pauseNanos = urgent ? lastLengthNanos : Math.max(PAUSE.toNanos(), PAUSE_PER_SCAN * lastLengthNanos);
            long delayNanos = lastEndNanos + pauseNanos - hostEnvironment.nanos();
            nextRound = hostEnvironment.schedule(
                    Duration.ofNanos(Math.max(0, delayNanos)), () -> hostEnvironment.execute(this::beginRound));
        }
    }

    private void beginRound() {
        synchronized (this) {
            if (round != null || watchers.isEmpty()) {
                return;
            }
            urgent = false;
            written.clear();
            coverWatches();
            round = new SharedScanRound(++rounds, ranges, List.copyOf(newcomers), hostEnvironment.nanos());
        }
        readNext();
    }

    /** Sets the ranges to those of all watches, and drops the statuses outside of them. */
    private synchronized void coverWatches() {
        NamespaceRangeSet all = NamespaceRangeSet.of(watchers);
        ranges = all;
        table.retain(all::includes);
    }

    /** Reads a written key or the next page, unless a read is already running. */
    private void readNext() {
        SharedScanRound current;
        Key key = null;
        synchronized (this) {
            current = round;
            if (reading || watchers.isEmpty() || (current == null && written.isEmpty())) {
                return;
            }
            reading = true;
            if (!written.isEmpty() && (current == null || keysSincePage < KEYS_PER_PAGE)) {
                keysSincePage++;
                key = written.iterator().next();
                written.remove(key);
            } else {
                keysSincePage = 0;
            }
        }
        if (key != null) {
            Key readKey = key;
            read(() -> leases.get(readKey), (found, error) -> {
                if (found == null) {
                    log.debug("{}: a read for watchers failed; the next scan will follow", readKey, error);
                } else {
                    seen(readKey, found.orElse(null));
                }
            });
        } else if (current != null) {
            read(() -> current.readPage(leases), (page, error) -> pageRead(current, page, error));
        }
    }

    private <T> void read(Supplier<CompletionStage<T>> request, BiConsumer<@Nullable T, @Nullable Throwable> handler) {
        CompletionStage<T> response = Futures.contain(() -> request.get().toCompletableFuture());
        Futures.whenDone(
                response,
                (value, error) -> hostEnvironment.execute(() -> {
                    try {
                        handler.accept(value, error);
                    } catch (RuntimeException | Error e) {
                        log.error("a read for watchers was not handled; this is a bug in Holdfast", e);
                        abandonRound();
                    } finally {
                        synchronized (this) {
                            reading = false;
                        }
                        readNext();
                    }
                }));
    }

    /** Ends the round, so that the same page is not read again and again without a pause. */
    private void abandonRound() {
        SharedScanRound current;
        synchronized (this) {
            current = round;
        }
        if (current != null) {
            end(current);
        }
    }

    private void seen(Key key, @Nullable LeaseStatus status) {
        List<StatusWatch> notified = new ArrayList<>();
        synchronized (this) {
            // Keys that no watch covers any more must not be kept.
            boolean isNews = ranges.includes(key.namespace())
                    && (status == null ? table.remove(key) : table.put(status, rounds));
            if (isNews) {
                watchers.stream()
                        .filter(statusWatch -> statusWatch.scope().includes(key.namespace()))
                        .forEach(notified::add);
            }
        }
        notified.forEach(StatusWatch::ready);
        endExcess();
    }

    private void pageRead(SharedScanRound current, AsyncLeases.@Nullable StatusPage page, @Nullable Throwable error) {
        boolean isNews = false;
        boolean isOver;
        synchronized (this) {
            if (round != current) {
                return; // The round has ended because its last watch left.
            }
            if (page == null) {
                log.debug("a scan for watchers failed; the next will follow", error);
            } else {
                current.pageRead(page);
                for (LeaseStatus status : page.statuses()) {
                    isNews |= current.includes(status) && table.put(status, current.number);
                }
            }
            isOver = page == null || current.isOver();
            if (page != null && isOver) {
                isNews |= table.removeUnseen(current.ranges::includes, current.number);
                newcomers.removeAll(current.newcomers);
            }
        }
        if (page != null && isOver) {
            current.newcomers.forEach(StatusWatch::begin);
        }
        if (isOver) {
            end(current);
        } else if (isNews) {
            watchers().forEach(StatusWatch::ready);
        }
        endExcess();
    }

    private void end(SharedScanRound current) {
        long now = hostEnvironment.nanos();
        List<StatusWatch> all;
        synchronized (this) {
            if (round == current) {
                round = null;
                lastEndNanos = now;
                lastLengthNanos = now - current.begunNanos;
            }
            all = List.copyOf(watchers);
        }
        // Notifies all watches, even without changes: they then detect revoked callers, and removed keys can be
        // dropped.
        all.forEach(StatusWatch::ready);
        all.stream().mapToLong(StatusWatch::lastChange).min().ifPresent(table::forgetRemoved);
        planRound();
    }

    /** Ends watches until the statuses of the others fit into the memory reserved for them. */
    private void endExcess() {
        if (table.bytes() <= mostBytes) {
            return;
        }
        List<StatusWatch> excess = new WatchMemoryShares(table.bytesByNamespace()).excess(watchers(), mostBytes);
        log.warn("{} watches ended: the keys of all watches need more than {} MB", excess.size(), mostBytes >> 20);
        RuntimeException reason = WireErrors.exhausted(
                "TOO_MANY_KEYS",
                "prefix: the keys of all watches need more than " + (mostBytes >> 20)
                        + " MB, and the watches of this client need the most (expected: a longer prefix)",
                Duration.ofMinutes(1));
        excess.forEach(statusWatch -> statusWatch.fail(reason));
        abandonRound();
        synchronized (this) {
            urgent = true;
            coverWatches();
        }
        planRound();
    }
}
