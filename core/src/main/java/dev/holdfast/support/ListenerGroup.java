package dev.holdfast.support;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.LostReason;
import dev.holdfast.StoreException;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several listeners as one. If one of them throws, the others are still called. */
public final class ListenerGroup implements LeaseListener {
    private static final Logger log = LoggerFactory.getLogger(ListenerGroup.class);

    private final List<LeaseListener> listeners;

    public ListenerGroup(List<LeaseListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    @SuppressWarnings("IllegalCatch") // An Error of one listener, too, must not keep the others from being called.
    private void each(Consumer<LeaseListener> call) {
        for (LeaseListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (Throwable e) {
                log.warn("the listener {} failed", listener, e);
            }
        }
    }

    @Override
    public void onGranted(Key key, Fence fence) {
        each(listener -> listener.onGranted(key, fence));
    }

    @Override
    public void onRenewed(Key key, long leftNanos) {
        each(listener -> listener.onRenewed(key, leftNanos));
    }

    @Override
    public void onLost(Key key, LostReason reason) {
        each(listener -> listener.onLost(key, reason));
    }

    @Override
    public void onEvicted(Key key, String why) {
        each(listener -> listener.onEvicted(key, why));
    }

    @Override
    public void onConflict(Key key) {
        each(listener -> listener.onConflict(key));
    }

    @Override
    public void onRetry(Key key, int attempt, StoreException cause) {
        each(listener -> listener.onRetry(key, attempt, cause));
    }

    @Override
    public void onBatch(int changes, long nanos) {
        each(listener -> listener.onBatch(changes, nanos));
    }

    @Override
    public void onQueue(int waiting) {
        each(listener -> listener.onQueue(waiting));
    }

    @Override
    public void onAnswered(Key key, long nanos) {
        each(listener -> listener.onAnswered(key, nanos));
    }

    @Override
    public void onWaitEnded(Key key, long nanos, boolean granted) {
        each(listener -> listener.onWaitEnded(key, nanos, granted));
    }
}
