package dev.holdfast.accord;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The admission of lists: only a few at a time may read pages, and the others queue in order of arrival. A list with a
 * slow reader is parked: it gives up its turn, as long as all parked lists together have little unsent data.
 *
 * <p>Thread-safe; its lock is a leaf.
 */
final class ListAdmission {
    private final int atATime;
    private final int mostWaiting;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final long mostParkedBytes;
    private int taken;
    private long parkedBytes;

    ListAdmission(int atATime, int mostWaiting, long mostParkedBytes) {
        this.atATime = atATime;
        this.mostWaiting = mostWaiting;
        this.mostParkedBytes = mostParkedBytes;
    }

    /**
     * Runs {@code begin} when its turn comes: on this thread, or on the thread of the list that ends its turn.
     *
     * @return false if too many lists are queued already; then {@code begin} never runs
     */
    boolean enter(Runnable begin) {
        return enter(begin, mostWaiting);
    }

    private boolean enter(Runnable begin, int most) {
        synchronized (this) {
            if (taken == atATime) {
                return waiting.size() < most && waiting.add(begin);
            }
            taken++;
        }
        begin.run();
        return true;
    }

    /**
     * Leaves the queue.
     *
     * @return false if its turn has come meanwhile
     */
    synchronized boolean stopWaiting(Runnable begin) {
        return waiting.remove(begin);
    }

    /** Ends a turn. */
    void leave() {
        @Nullable Runnable next;
        synchronized (this) {
            next = waiting.poll();
            if (next == null) {
                taken--;
            }
        }
        if (next != null) {
            next.run();
        }
    }

    /** Ends a turn and queues for the next one, which comes immediately if no other list is queued. */
    void pass(Runnable begin) {
        Runnable next;
        synchronized (this) {
            waiting.add(begin);
            next = waiting.remove();
        }
        next.run();
    }

    /**
     * Ends a turn although {@code bytes} are still unsent.
     *
     * @return false if there is no room; the list then keeps its turn
     */
    boolean park(long bytes) {
        synchronized (this) {
            if (parkedBytes + bytes > mostParkedBytes) {
                return false;
            }
            parkedBytes += bytes;
        }
        leave();
        return true;
    }

    /** Records that the parked bytes have been sent or dropped. */
    synchronized void unpark(long bytes) {
        parkedBytes -= bytes;
    }

    /** Queues for another turn; never rejected. */
    void enterAgain(Runnable begin) {
        enter(begin, Integer.MAX_VALUE);
    }

    /** Whether other lists are queued. */
    synchronized boolean isWanted() {
        return !waiting.isEmpty();
    }
}
