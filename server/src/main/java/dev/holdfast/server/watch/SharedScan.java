package dev.holdfast.server.watch;

import dev.holdfast.AsyncLeases.StatusPage;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.internal.Futures;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.store.HostEnvironment;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one scan of the store that serves all watchers, again and again while there are any. Keys that are written through
 * this server are read at once, each by itself; what others write, and what expires, is seen by the next scan.
 *
 * <p>One read is with the store at a time, a page or a key. So a later answer is also a newer one, and the table never goes
 * back. Answers are handled on the threads for callbacks, where they hold up neither the store nor a request.
 *
 * <p>The lock guards the fields and is never held while calling out, except into the table, whose lock is a leaf.
 */
final class SharedScan {
    /** Between two scans. */
    private static final Duration PAUSE = Duration.ofMillis(500);
    /** A scan that takes long is followed by a longer pause: watching takes a fifth of one connection at most. */
    private static final int PAUSE_PER_SCAN = 4;

    /** How often slow readers are looked for: a scan may take far longer. */
    private static final Duration CHECK = Duration.ofSeconds(1);

    /** When more keys than these are written, a scan of all is cheaper. */
    private static final int MOST_WRITTEN = 1_000;

    /** Keys that are read between two pages. */
    private static final int LOOKS_PER_PAGE = 50;

    private static final Logger log = LoggerFactory.getLogger(SharedScan.class);

    private final Leases leases;
    private final HostEnvironment hostEnvironment;
    private final WatchedStatuses table;
    private final WatchSendBudget budget;
    private final long mostBytes;

    private final Set<StatusWatch> watchers = new LinkedHashSet<>();
    private final Set<StatusWatch> newcomers = new LinkedHashSet<>();
    /** Keys that were written through this server, and not read since. */
    private final Set<Key> written = new LinkedHashSet<>();
    /** What the current round, or the last one, scans. */
    private volatile NamespaceRangeSet ranges = NamespaceRangeSet.EMPTY;

    private @Nullable SharedScanRound round;
    private long rounds;
    private boolean reading;
    private int looksSincePage;
    private boolean urgent;
    private long lastEndNanos;
    private long lastLengthNanos;
    private HostEnvironment.@Nullable Timer nextRound;
    private HostEnvironment.@Nullable Timer nextCheck;

    SharedScan(Leases leases, WatchedStatuses table, WatchSendBudget budget, long mostBytes) {
        this.leases = leases;
        this.hostEnvironment = leases.runtime();
        this.table = table;
        this.budget = budget;
        this.mostBytes = mostBytes;
        this.lastEndNanos = hostEnvironment.nanos() - PAUSE.toNanos();
    }

    /** Begins with a scan that starts from now on, so that a watcher sees at least what its client wrote before. */
    void join(StatusWatch statusWatch) {
        synchronized (this) {
            watchers.add(statusWatch);
            newcomers.add(statusWatch);
            urgent = true;
            if (nextCheck == null) {
                nextCheck = hostEnvironment.schedule(CHECK, this::checkReaders);
            }
        }
        planRound();
    }

    private void checkReaders() {
        synchronized (this) {
            nextCheck = watchers.isEmpty() ? null : hostEnvironment.schedule(CHECK, this::checkReaders);
        }
        hostEnvironment.execute(() -> budget.endUnread(hostEnvironment.nanos()));
    }

    /** Without watchers nothing more is read, and nothing is remembered. */
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

    synchronized List<StatusWatch> watchers() {
        return List.copyOf(watchers);
    }

    /** One key was written through this server. */
    void changed(Key key) {
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
            // Elsewhere: this is the thread of a request, which must not do the work of others.
            hostEnvironment.execute(this::readNext);
        }
    }

    /** Sees to it that the next round begins when it is due. */
    private void planRound() {
        synchronized (this) {
            if (round != null || watchers.isEmpty()) {
                return;
            }
            if (nextRound != null) {
                nextRound.cancel();
            }
            // A newcomer does not wait for the whole pause; but scans never follow each other without any.
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
            ranges = new NamespaceRangeSet(watchers.stream()
                    .flatMap(statusWatch -> statusWatch.scope().ranges().stream())
                    .toList());
            table.retain(ranges::includes);
            round = new SharedScanRound(++rounds, ranges, List.copyOf(newcomers), hostEnvironment.nanos());
        }
        readNext();
    }

    /** Reads a key that was written, or the next page, unless a read is with the store already. */
    private void readNext() {
        SharedScanRound current;
        Key key = null;
        synchronized (this) {
            current = round;
            if (reading || watchers.isEmpty() || (current == null && written.isEmpty())) {
                return;
            }
            reading = true;
            if (!written.isEmpty() && (current == null || looksSincePage < LOOKS_PER_PAGE)) {
                looksSincePage++;
                key = written.iterator().next();
                written.remove(key);
            } else {
                looksSincePage = 0;
            }
        }
        if (key != null) {
            Key looked = key;
            read(() -> leases.async().get(looked), (found, error) -> {
                if (found == null) {
                    log.debug("{}: a read for watchers failed; the next scan will follow", looked, error);
                } else {
                    seen(looked, found.orElse(null));
                }
            });
        } else if (current != null) {
            read(() -> current.ask(leases), (page, error) -> turned(current, page, error));
        }
    }

    private <T> void read(Supplier<CompletionStage<T>> question, BiConsumer<@Nullable T, @Nullable Throwable> handler) {
        CompletionStage<T> asked = Futures.contain(() -> question.get().toCompletableFuture());
        Futures.whenDone(
                asked,
                (value, error) -> hostEnvironment.execute(() -> {
                    try {
                        handler.accept(value, error);
                    } catch (RuntimeException | Error e) {
                        log.error("an answer for watchers was not handled; this is a bug in Holdfast", e);
                        abandonRound();
                    } finally {
                        synchronized (this) {
                            reading = false;
                        }
                        readNext();
                    }
                }));
    }

    /** The same page must not be read again and again without a pause. */
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
        List<StatusWatch> told = new ArrayList<>();
        synchronized (this) {
            // Keys that no watch covers any more must not be remembered.
            boolean isNews = ranges.includes(key.namespace())
                    && (status == null ? table.remove(key) : table.put(status, rounds));
            if (isNews) {
                watchers.stream()
                        .filter(statusWatch -> statusWatch.scope().includes(key.namespace()))
                        .forEach(told::add);
            }
        }
        told.forEach(StatusWatch::ready);
        endExcess();
    }

    private void turned(SharedScanRound current, @Nullable StatusPage page, @Nullable Throwable error) {
        boolean isNews = false;
        boolean isOver;
        synchronized (this) {
            if (round != current) {
                return; // Ended meanwhile, as its last watcher left.
            }
            if (page == null) {
                log.debug("a scan for watchers failed; the next will follow", error);
            } else {
                current.answered(page);
                for (LeaseStatus status : page.statuses()) {
                    isNews |= current.includes(status) && table.put(status, current.number());
                }
            }
            isOver = page == null || current.isOver();
            if (page != null && isOver) {
                isNews |= table.removeUnseen(current.ranges()::includes, current.number());
                newcomers.removeAll(current.newcomers());
            }
        }
        if (page != null && isOver) {
            current.newcomers().forEach(StatusWatch::begin);
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
                lastLengthNanos = now - current.begunNanos();
            }
            all = List.copyOf(watchers);
        }
        // All, also without news: then a revoked caller is found, and removed keys can be forgotten.
        all.forEach(StatusWatch::ready);
        all.stream().mapToLong(StatusWatch::lastChange).min().ifPresent(table::forgetRemoved);
        planRound();
    }

    /** Ends watches until the statuses of all others fit into the memory that is meant for them. */
    private void endExcess() {
        if (table.bytes() <= mostBytes) {
            return;
        }
        List<StatusWatch> excess = new WatchMemoryShares(table.bytesByNamespace()).excess(watchers(), mostBytes);
        log.warn("{} watches ended: the keys of all watches need more than {} MB", excess.size(), mostBytes >> 20);
        RuntimeException reason = StatusProto.toStatusRuntimeException(WireErrors.exhausted(
                "TOO_MANY_KEYS",
                "prefix: the keys of all watches need more than " + (mostBytes >> 20)
                        + " MB, and this client's the most of it (expected: a longer prefix)",
                Duration.ofMinutes(1)));
        excess.forEach(statusWatch -> statusWatch.fail(reason));
        abandonRound();
        synchronized (this) {
            urgent = true;
            NamespaceRangeSet rest = new NamespaceRangeSet(watchers.stream()
                    .flatMap(statusWatch -> statusWatch.scope().ranges().stream())
                    .toList());
            ranges = rest;
            table.retain(rest::includes);
        }
        planRound();
    }
}
