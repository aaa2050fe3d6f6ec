package dev.holdfast.server.watch;

import dev.holdfast.LeaseStatus;
import dev.holdfast.model.Key;
import java.util.List;

/** Where a watcher's news goes. Called by one thread at a time. */
public interface Sink {
    /** Whether more can be taken; if not, the watcher is to be {@linkplain Watcher#ready told} when it can. */
    boolean isReady();

    /**
     * Tells the latest states of some keys.
     *
     * @param removed keys that are no more
     * @param inSync whether, with this, all has been told that there was when the watch began; once
     */
    void tell(List<LeaseStatus> statuses, List<Key> removed, boolean inSync);

    /** The watch is over. */
    void fail(Throwable reason);
}
