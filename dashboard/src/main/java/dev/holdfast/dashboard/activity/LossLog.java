package dev.holdfast.dashboard.activity;

import dev.holdfast.Key;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** The losses of the last hour that this server saw, at most a thousand. Thread-safe. */
public final class LossLog {
    private static final Duration KEPT = Duration.ofHours(1);
    private static final int MOST = 1_000;
    private static final int DETAIL_CHARS = 200;

    private final LongSupplier nanos;
    /** The newest first. */
    private final Deque<Loss> losses = new ArrayDeque<>();

    private long numbers;

    /**
     * One loss.
     *
     * @param number distinguishes the losses of one key
     * @param holder empty if it is not known
     * @param ago the time since the loss
     */
    public record ShownLoss(long number, Key key, String holder, String reason, String detail, Duration ago) {}

    private record Loss(long number, Key key, String holder, String reason, String detail, long atNanos) {}

    LossLog(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Records a loss. */
    public synchronized void add(Key key, String holder, String reason, String detail) {
        String text = detail.length() > DETAIL_CHARS ? detail.substring(0, DETAIL_CHARS) : detail;
        losses.addFirst(new Loss(numbers++, key, holder, reason, text, nanos.getAsLong()));
        if (losses.size() > MOST) {
            losses.removeLast();
        }
    }

    /** The newest losses of the selected keys, newest first. */
    public synchronized List<ShownLoss> newest(Predicate<Key> selected, int most) {
        long now = nanos.getAsLong();
        while (!losses.isEmpty() && now - losses.getLast().atNanos > KEPT.toNanos()) {
            losses.removeLast();
        }
        return losses.stream()
                .filter(loss -> selected.test(loss.key))
                .limit(most)
                .map(it -> new ShownLoss(
                        it.number, it.key, it.holder, it.reason, it.detail, Duration.ofNanos(now - it.atNanos)))
                .toList();
    }
}
