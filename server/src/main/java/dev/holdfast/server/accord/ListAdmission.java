package dev.holdfast.server.accord;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The right to read pages of a list, for a few lists at a time; others queue for it, the first come first. A list whose
 * reader is slow is parked: it gives up its turn, as long as all that parked lists have to send is little.
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
     * Runs {@code begin} when it is its turn: here, or on the thread that leaves.
     *
     * @return false if too many wait already; then it never runs
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

    /** Gives up a place in the queue. False if its turn has come meanwhile. */
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

    /** Ends a turn and queues for the next one. It comes at once if no others wait. */
    void pass(Runnable begin) {
        Runnable next;
        synchronized (this) {
            waiting.add(begin);
            next = waiting.remove();
        }
        next.run();
    }

    /** Ends a turn although {@code bytes} are still to be sent. False if there is no room: then it has its turn still. */
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

    /** What was parked has been sent, or never will be. */
    synchronized void unpark(long bytes) {
        parkedBytes -= bytes;
    }

    /** Queues for another turn, which is never refused. */
    void enterAgain(Runnable begin) {
        enter(begin, Integer.MAX_VALUE);
    }

    /** Whether others wait for a turn. */
    synchronized boolean isWanted() {
        return !waiting.isEmpty();
    }
}
