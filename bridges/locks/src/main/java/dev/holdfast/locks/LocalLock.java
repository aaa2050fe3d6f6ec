package dev.holdfast.locks;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The state of one key in this process: the queue of its threads, and the hold of the first of them. */
final class LocalLock {
    /** Held by the thread that has the lease, or acquires it. It is fair: threads get the lock in their order. */
    final ReentrantLock mutex = new ReentrantLock(true);

    /** Null while the lease is being acquired. Guarded by the mutex. */
    @Nullable
    LockHold hold;

    /** How many threads wait for the mutex, and how often its owner holds it. Guarded by the map that this is in. */
    int uses;
}
