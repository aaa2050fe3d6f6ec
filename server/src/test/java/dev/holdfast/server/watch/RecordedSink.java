package dev.holdfast.server.watch;

import dev.holdfast.Key;
import dev.holdfast.proto.v1.WatchResponse;
import dev.holdfast.wire.OutcomeMessages;
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
    public void send(WatchResponse message) {
        message.getStatusesList().forEach(status -> present.add(Key.of(status.getNamespace(), status.getName())));
        message.getRemovedList().forEach(key -> present.remove(OutcomeMessages.key(key)));
        inSync |= message.getInSync();
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
