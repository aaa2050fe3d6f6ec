package dev.holdfast.dashboard.activity;

import dev.holdfast.Key;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** The losses of the last hour that this server saw, at most a thousand. Thread-safe. */
public final class LossLog {
    private static final Duration KEPT = Duration.ofHours(1);
    private static final int MOST = 1_000;
    private static final int DETAIL_CHARS = 200;
    /** A holder notices a loss at its next renewal, mostly within this time. */
    private static final Duration SAME_LOSS = Duration.ofSeconds(20);

    private static final int MOST_COMPARED = 100;

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

    private record Loss(
            long number, Key key, String holder, String reason, String detail, boolean noticed, long atNanos) {
        Loss of(String newHolder) {
            return new Loss(number, key, newHolder, reason, detail, noticed, atNanos);
        }
    }

    LossLog(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Records a loss. The same loss may be seen twice: by the request that took the key, and by the holder that notices it.
     *
     * @param noticed whether the holder noticed it
     * @return false if it was recorded before
     */
    public synchronized boolean add(Key key, String holder, String reason, String detail, boolean noticed) {
        long now = nanos.getAsLong();
        Optional<Loss> known = losses.stream()
                .limit(MOST_COMPARED)
                .filter(loss ->
                        loss.key.equals(key) && loss.noticed != noticed && now - loss.atNanos < SAME_LOSS.toNanos())
                .findFirst();
        if (known.isPresent()) {
            if (known.get().holder.isEmpty() && !holder.isEmpty()) {
                losses.remove(known.get());
                losses.addFirst(known.get().of(holder));
            }
            return false;
        }
        String text = detail.length() > DETAIL_CHARS ? detail.substring(0, DETAIL_CHARS) : detail;
        losses.addFirst(new Loss(numbers++, key, holder, reason, text, noticed, now));
        if (losses.size() > MOST) {
            losses.removeLast();
        }
        return true;
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
