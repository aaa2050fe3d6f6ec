package dev.holdfast.dashboard.live;

import com.linecorp.armeria.common.HttpData;
import dev.holdfast.Key;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One view, however many streams show it. It is read again soon after a change through this server, and at the latest after a pause.
 * Each reading is compared with the one before once, and the difference goes to all streams. A stream that still writes an older
 * message gets the whole state later, so no messages queue up.
 *
 * <p>The lock guards the fields, and is never held while calling out.
 */
final class SharedView {
    /** The shortest time between the starts of two readings: a view is read at most three times a second. */
    private static final Duration SHORTEST = Duration.ofMillis(333);

    /** A view that takes long to read rests for this many times as long. */
    private static final int REST_PER_READING = 3;

    /** How often the head is sent, although only its time has changed. */
    private static final Duration HEAD_EVERY = Duration.ofSeconds(5);

    /** With more changed keys than this, everything is read. */
    private static final int MOST_CHANGED = 500;

    private static final Logger log = LoggerFactory.getLogger(SharedView.class);

    private final ViewSource source;
    private final HostEnvironment environment;
    private final Set<LiveStream> streams = new LinkedHashSet<>();
    private Set<Key> changed = new HashSet<>();
    private boolean isAllChanged;
    private boolean reading;
    private boolean closed;
    private long lastStartNanos;
    private long lastLengthNanos;
    private long headSentNanos;
    private HostEnvironment.@Nullable Timer timer;
    private long timerNanos;
    private volatile Published published = Published.NOTHING;

    /**
     * The newest messages.
     *
     * @param number of the state; 0 before the first
     * @param delta from the state before; null if streams need the whole state
     * @param error sent to all streams in place of a state; null if the last reading succeeded
     */
    record Published(
            long number,
            @Nullable ViewState state,
            @Nullable HttpData delta,
            @Nullable HttpData error) {
        static final Published NOTHING = new Published(0, null, null, null);
    }

    SharedView(ViewSource source, HostEnvironment environment) {
        this.source = source;
        this.environment = environment;
        this.lastStartNanos = environment.nanos() - SHORTEST.toNanos();
    }

    Published published() {
        return published;
    }

    /** Adds a stream; false if the view was closed meanwhile. */
    boolean join(LiveStream stream) {
        synchronized (this) {
            if (closed) {
                return false;
            }
            streams.add(stream);
        }
        if (published.state != null) {
            stream.ready();
        }
        plan();
        return true;
    }

    /** Removes a stream. Returns whether the view has no more streams, and is closed. */
    boolean leave(LiveStream stream) {
        synchronized (this) {
            streams.remove(stream);
            if (!streams.isEmpty() || closed) {
                return false;
            }
            closed = true;
            if (timer != null) {
                timer.cancel();
            }
        }
        source.close();
        return true;
    }

    void noticed(Key key) {
        if (!source.concerns(key)) {
            return;
        }
        synchronized (this) {
            if (isAllChanged || !changed.add(key)) {
                return; // A reading is planned.
            }
            if (changed.size() > MOST_CHANGED) {
                changed = new HashSet<>();
                isAllChanged = true;
            }
        }
        plan();
    }

    /** Reads everything again soon. */
    void refresh() {
        synchronized (this) {
            isAllChanged = true;
        }
        plan();
    }

    /** Plans the next reading, unless one is running: its end plans the next. */
    private synchronized void plan() {
        if (closed || reading) {
            return;
        }
        boolean isNews = published.state == null || isAllChanged || !changed.isEmpty();
        long restNanos = Math.max(SHORTEST.toNanos(), REST_PER_READING * lastLengthNanos);
        long pauseNanos = isNews && published.error == null
                ? restNanos
                : Math.max(source.pause().toNanos(), restNanos);
        long atNanos = lastStartNanos + pauseNanos;
        if (timer != null) {
            if (timerNanos - atNanos <= 0) {
                return;
            }
            timer.cancel();
        }
        timerNanos = atNanos;
        timer = environment.schedule(
                Duration.ofNanos(Math.max(0, atNanos - environment.nanos())), () -> environment.execute(this::read));
    }

    private void read() {
        Set<Key> keys;
        synchronized (this) {
            if (closed || reading) {
                return;
            }
            reading = true;
            timer = null;
            keys = isAllChanged ? Set.of() : changed;
            isAllChanged = false;
            changed = new HashSet<>();
            lastStartNanos = environment.nanos();
        }
        var reply = Futures.contain(() -> source.read(keys).toCompletableFuture());
        Futures.whenDone(
                reply,
                (state, error) -> environment.execute(() -> {
                    try {
                        publish(state, error);
                    } catch (RuntimeException | Error e) {
                        log.error("a view was not sent; this is a bug in Holdfast", e);
                    } finally {
                        synchronized (this) {
                            reading = false;
                            lastLengthNanos = environment.nanos() - lastStartNanos;
                        }
                        plan();
                    }
                }));
    }

    private void publish(@Nullable ViewState state, @Nullable Throwable error) {
        Published before = published;
        List<LiveStream> all;
        synchronized (this) {
            if (closed) {
                return;
            }
            all = List.copyOf(streams);
        }
        if (state == null) {
            String detail = WireErrors.status(WireErrors.cause(error)).getMessage();
            published = new Published(
                    before.number + 1, before.state, null, ViewMessages.error("The view could not be read.", detail));
        } else {
            long now = environment.nanos();
            boolean isFirst = before.state == null || before.error != null;
            boolean withHead = now - headSentNanos >= HEAD_EVERY.toNanos();
            HttpData delta = isFirst || before.state == null ? null : ViewMessages.delta(before.state, state, withHead);
            if (!isFirst && delta == null) {
                return; // Nothing has changed.
            }
            headSentNanos = now;
            published = new Published(before.number + 1, state, delta, null);
        }
        all.forEach(LiveStream::ready);
    }
}
