package dev.holdfast.server.watch;

import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.internal.Futures;
import dev.holdfast.model.Key;
import dev.holdfast.server.wire.Errors;
import dev.holdfast.spi.Runtime;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at all keys of a prefix again and again, for as long as somebody watches them, and tells what has changed. What
 * is written through this server is looked at at once, each key by itself; what others write, and what runs out, is seen
 * by the next look at all.
 *
 * <p>A watcher begins with a look that was begun after it came, so that it sees at least what it wrote before.
 *
 * <p>The lock guards the fields and is never held while calling out.
 */
final class PrefixWatch {
    /** Between two looks at all keys. */
    private static final Duration PAUSE = Duration.ofMillis(500);
    /** A look that takes long is followed by a pause that is longer: watching takes a fifth of one connection at most. */
    private static final int PAUSE_PER_LOOK = 4;
    /** What is remembered of a prefix must fit into memory; more is a sign that the prefix should be longer. */
    private static final int MOST_KEYS = 100_000;

    /** When more keys than these are written, a look at all of them is cheaper. */
    private static final int MOST_BY_THEMSELVES = 1_000;

    private static final Logger log = LoggerFactory.getLogger(PrefixWatch.class);

    private final Leases leases;
    private final String prefix;
    private final Set<Watcher> watchers = new LinkedHashSet<>();
    /** Those who have not been told of all there is. */
    private final Set<Watcher> newcomers = new LinkedHashSet<>();

    private Map<Key, LeaseStatus> latest = new HashMap<>();
    /** Keys that were written through this server, and not looked at since. */
    private final Set<Key> written = new LinkedHashSet<>();

    private boolean looking;
    private boolean lookAgain;
    private boolean lookingAtOne;
    /** Counts the looks at all: what was asked for before one is of no use after it. */
    private long looks;

    private boolean closed;
    private Runtime.@Nullable Timer nextLook;

    PrefixWatch(Leases leases, String prefix) {
        this.leases = leases;
        this.prefix = prefix;
    }

    String prefix() {
        return prefix;
    }

    synchronized void join(Watcher watcher) {
        watchers.add(watcher);
        newcomers.add(watcher);
    }

    /** Returns whether nobody is left, and this has ended. */
    synchronized boolean leave(Watcher watcher) {
        watchers.remove(watcher);
        newcomers.remove(watcher);
        if (watchers.isEmpty()) {
            end();
        }
        return closed;
    }

    private synchronized void end() {
        closed = true;
        if (nextLook != null) {
            nextLook.cancel();
        }
    }

    void close() {
        List<Watcher> leaving;
        synchronized (this) {
            leaving = List.copyOf(watchers);
        }
        leaving.forEach(watcher -> watcher.fail(new IllegalStateException("the server is closed")));
    }

    synchronized @Nullable LeaseStatus latest(Key key) {
        return latest.get(key);
    }

    /** Looks at all keys now, or right after the look that is under way. */
    void begin() {
        List<Watcher> beginners;
        synchronized (this) {
            if (closed) {
                return;
            }
            if (looking) {
                lookAgain = true;
                return;
            }
            looking = true;
            lookAgain = false;
            looks++;
            written.clear();
            if (nextLook != null) {
                nextLook.cancel();
            }
            beginners = List.copyOf(newcomers);
        }
        new KeyScan(leases, prefix, MOST_KEYS, scan -> looked(scan, beginners)).begin();
    }

    /** One key was written through this server. */
    void changed(Key key) {
        boolean tooMany;
        synchronized (this) {
            if (closed) {
                return;
            }
            tooMany = written.size() >= MOST_BY_THEMSELVES;
            if (!tooMany) {
                written.add(key);
            }
        }
        if (tooMany) {
            begin();
        } else {
            lookAtNext();
        }
    }

    /** Looks at the keys that were written, one after the other, unless a look at all is under way. */
    private void lookAtNext() {
        Key key;
        long before;
        synchronized (this) {
            if (closed || looking || lookingAtOne || written.isEmpty()) {
                return;
            }
            lookingAtOne = true;
            before = looks;
            key = written.iterator().next();
            written.remove(key);
        }
        CompletionStage<Optional<LeaseStatus>> asked;
        try {
            asked = leases.async().get(key);
        } catch (RuntimeException e) {
            asked = CompletableFuture.failedFuture(e);
        }
        Futures.whenDone(asked, (found, error) -> {
            if (found == null) {
                log.debug("{}: a look failed; the next at all keys will follow", key, error);
            }
            seen(key, found == null ? null : found.orElse(null), found != null, before);
        });
    }

    private void seen(Key key, @Nullable LeaseStatus now, boolean answered, long looksBefore) {
        boolean differs = false;
        synchronized (this) {
            lookingAtOne = false;
            if (answered && looks == looksBefore) {
                LeaseStatus before = now == null ? latest.remove(key) : latest.put(key, now);
                differs = differ(before, now);
            }
        }
        if (differs) {
            tell(List.of(key));
        }
        lookAtNext();
    }

    private void tell(Collection<Key> keys) {
        List<Watcher> told;
        synchronized (this) {
            told = List.copyOf(watchers);
        }
        told.forEach(watcher -> watcher.changed(keys));
    }

    /** Renewals are no news; all else is. */
    private static boolean differ(@Nullable LeaseStatus before, @Nullable LeaseStatus after) {
        if (before == null || after == null) {
            return before != null || after != null;
        }
        return before.state() != after.state()
                || before.entry().state() != after.entry().state()
                || !before.fence().equals(after.fence())
                || before.entry().grants() != after.entry().grants()
                || !before.attributes().equals(after.attributes())
                || !Objects.equals(before.entry().doneAt(), after.entry().doneAt());
    }

    private void looked(KeyScan scan, List<Watcher> beginners) {
        Map<Key, LeaseStatus> found = scan.found();
        List<Key> news = new ArrayList<>();
        Set<Watcher> told;
        boolean again;
        synchronized (this) {
            looking = false;
            told = new LinkedHashSet<>(watchers);
            if (scan.isWhole()) {
                Map<Key, LeaseStatus> before = latest;
                latest = found;
                news(before, news);
                // With the lock: what changes now must come either before this, or as news after it.
                beginners.forEach(watcher -> watcher.begin(found.keySet()));
                beginners.forEach(newcomers::remove);
                beginners.forEach(told::remove);
            }
            again = lookAgain;
            if (!closed && !again) {
                nextLook = leases.runtime().schedule(pause(scan), this::begin);
            }
        }
        if (scan.isTooLarge()) {
            tooMany();
        }
        if (!news.isEmpty()) {
            told.forEach(watcher -> watcher.changed(news));
        }
        if (again) {
            begin();
        } else {
            lookAtNext();
        }
    }

    private void news(Map<Key, LeaseStatus> before, List<Key> news) {
        latest.forEach((key, status) -> {
            if (differ(before.get(key), status)) {
                news.add(key);
            }
        });
        before.keySet().stream().filter(key -> !latest.containsKey(key)).forEach(news::add);
    }

    private static Duration pause(KeyScan scan) {
        Duration length = scan.length().multipliedBy(PAUSE_PER_LOOK);
        return length.compareTo(PAUSE) > 0 ? length : PAUSE;
    }

    private void tooMany() {
        List<Watcher> leaving;
        synchronized (this) {
            leaving = List.copyOf(watchers);
        }
        RuntimeException reason = StatusProto.toStatusRuntimeException(Errors.exhausted(
                "TOO_MANY_KEYS",
                "prefix: more than " + MOST_KEYS + " keys begin so (expected: a longer prefix)",
                Duration.ofMinutes(1)));
        leaving.forEach(watcher -> watcher.fail(reason));
    }
}
