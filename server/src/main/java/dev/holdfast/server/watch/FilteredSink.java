package dev.holdfast.server.watch;

import dev.holdfast.LeaseStatus;
import dev.holdfast.model.Key;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.function.Predicate;

/**
 * Passes on the news of some namespaces only.
 *
 * @param allowed those whose news may be told; throws if no more may be told at all
 */
public record FilteredSink(Sink sink, Predicate<String> allowed) implements Sink {
    @Override
    public boolean isReady() {
        return sink.isReady();
    }

    @Override
    public void tell(List<LeaseStatus> statuses, List<Key> removed, boolean inSync) {
        List<LeaseStatus> told;
        List<Key> gone;
        try {
            told = statuses.stream()
                    .filter(status -> allowed.test(status.key().namespace()))
                    .toList();
            gone = removed.stream().filter(key -> allowed.test(key.namespace())).toList();
        } catch (StatusRuntimeException notAnyMore) {
            sink.fail(notAnyMore);
            return;
        }
        if (inSync || !told.isEmpty() || !gone.isEmpty()) {
            sink.tell(told, gone, inSync);
        }
    }

    @Override
    public void fail(Throwable reason) {
        sink.fail(reason);
    }
}
