package dev.holdfast.server.watch;

import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A client that reads everything, or nothing at all. */
final class RecordedSink implements WatchSink {
    final Set<Key> present = ConcurrentHashMap.newKeySet();
    volatile boolean inSync;
    volatile boolean told;
    volatile @Nullable Throwable failure;
    private final boolean reads;
    private volatile boolean full;

    RecordedSink(boolean reads) {
        this.reads = reads;
    }

    @Override
    public boolean isReady() {
        return !full;
    }

    @Override
    public void send(List<LeaseStatus> statuses, List<Key> removed, boolean isInSync) {
        statuses.forEach(status -> present.add(status.key()));
        removed.forEach(present::remove);
        inSync |= isInSync;
        told = true;
        full = !reads;
    }

    @Override
    public void probe() {}

    @Override
    public void fail(Throwable reason) {
        failure = reason;
    }
}
