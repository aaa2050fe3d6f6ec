package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The way a worker gets the leases of its units. */
public interface UnitLeaseSource {
    boolean mayAcquire(String unit);

    /** Returns whether work may begin on a granted unit. */
    boolean mayStart();

    CompletionStage<AcquireResult> acquire(String unit);

    /** Releases a unit that is held in this worker's name by mistake. Completes when it is certainly not held. */
    CompletionStage<Void> reclaim(String unit);

    /** Returns whether the granted key really is a unit; if not, it is released. */
    boolean isUnit(Lease lease);

    /** Returns how long before the end of its own lease the work on a unit must stop; zero if its lease has no end. */
    Duration stopBeforeEnd();

    /** Returns the minimum time for which a unit that failed is left to other workers. */
    Duration minBackoff();
}
