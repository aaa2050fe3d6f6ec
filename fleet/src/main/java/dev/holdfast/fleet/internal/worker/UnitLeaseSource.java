package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The way a worker gets the leases of its units. */
public interface UnitLeaseSource {
    /** Requests the lease of a unit. Returns null if the worker may not acquire the unit now. Never throws. */
    @Nullable
    CompletableFuture<AcquireResult> acquire(String unit);

    /** Decides about a lease that was granted. */
    GrantVerdict judge(Lease lease);

    /** The use of a granted lease. */
    enum GrantVerdict {
        START_WORK,
        /** Work may not begin now, so the lease is released. */
        RELEASE,
        /** The worker lacks a label that the unit requires, so the lease is released, and reported as failed here. */
        LACKS_LABELS,
        /** The key is not a unit, so the lease is released, and the worker does not acquire it again. */
        NOT_A_UNIT
    }

    /** Releases a unit that is held in this worker's name by mistake. Completes when it is certainly not held. */
    CompletionStage<Void> reclaim(String unit);

    /** Returns how long before the end of its own lease the work on a unit must stop; zero if its lease has no end. */
    Duration stopBeforeEnd();

    /** Returns the minimum time for which a unit that failed is left to other workers. */
    Duration minBackoff();
}
