package dev.holdfast.internal.holding;

import dev.holdfast.Key;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.function.Consumer;

/**
 * The leases that are still renewed although the program can no longer release them: their {@link LeaseHandle} became
 * unreachable before it was closed. Each is reported once; it stays held until the client closes.
 */
final class UnreachableLeases {
    private final ReferenceQueue<LeaseHandle> unreachable = new ReferenceQueue<>();
    private final Consumer<Key> report;

    UnreachableLeases(Consumer<Key> report) {
        this.report = report;
    }

    void watch(LeaseHandle handle) {
        handle.held.keep(new Watch(handle, unreachable));
    }

    /** Reports the leases that became unreachable since the last call. */
    void check() {
        for (Reference<?> next = unreachable.poll(); next != null; next = unreachable.poll()) {
            HeldLease lease = ((Watch) next).lease;
            if (!lease.hasEnded()) {
                report.accept(lease.key());
            }
        }
    }

    /** Kept by the lease, so that it exists for as long as the lease is held. */
    static final class Watch extends PhantomReference<LeaseHandle> {
        private final HeldLease lease;

        private Watch(LeaseHandle handle, ReferenceQueue<LeaseHandle> unreachable) {
            super(handle, unreachable);
            this.lease = handle.held;
        }
    }
}
