package dev.holdfast.dynamodb.table;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;

/**
 * Counter of the requests sent to the service, because they determine the cost. Failed requests count too, as far as we
 * know.
 *
 * <p>Thread-safe.
 */
public final class RequestCounter {
    private final Map<RequestKind, LongAdder> sent = new EnumMap<>(RequestKind.class);
    private final DoubleAdder readUnits = new DoubleAdder();
    private final DoubleAdder writeUnits = new DoubleAdder();

    RequestCounter() {
        for (RequestKind kind : RequestKind.values()) {
            sent.put(kind, new LongAdder());
        }
    }

    void sent(RequestKind kind) {
        counter(kind).increment();
    }

    void consumed(RequestKind kind, @Nullable ConsumedCapacity capacity) {
        if (capacity != null && capacity.capacityUnits() != null) {
            (kind.isWrite() ? writeUnits : readUnits).add(capacity.capacityUnits());
        }
    }

    /** Returns how many requests of a kind were sent. */
    public long count(RequestKind kind) {
        return counter(kind).sum();
    }

    public long writes() {
        return count(RequestKind.PUT) + count(RequestKind.UPDATE) + count(RequestKind.DELETE);
    }

    public long total() {
        return sent.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** Returns the read units that the service reported; 0 unless the URL contains {@code units=true}. */
    public double readUnits() {
        return readUnits.sum();
    }

    /** Returns the write units that the service reported; 0 unless the URL contains {@code units=true}. */
    public double writeUnits() {
        return writeUnits.sum();
    }

    private LongAdder counter(RequestKind kind) {
        return Objects.requireNonNull(sent.get(kind));
    }

    @Override
    public String toString() {
        return sent + ", read units " + readUnits() + ", write units " + writeUnits();
    }
}
