package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.internal.units.ChangeMark;
import dev.holdfast.fleet.internal.worker.WorkerSetup;
import org.jspecify.annotations.Nullable;

/**
 * The record of the last listing, which decides whether it is still current. It is not if the mark was granted since,
 * or was held when the listing began. It also expires after a long time, in case a change was made without the mark.
 */
public final class LastListing {
    private final WorkerSetup workerSetup;
    private @Nullable ChangeMark changeMark;
    private long nanos;

    public LastListing(WorkerSetup workerSetup) {
        this.workerSetup = workerSetup;
    }

    public boolean isCurrent(ChangeMark now) {
        return !now.held()
                && now.equals(changeMark)
                && workerSetup.runtime().nanos() - nanos
                        < workerSetup.options().relistEvery().toNanos();
    }

    /** @param before the mark as it was before the listing began */
    public void listed(ChangeMark before) {
        changeMark = before;
        nanos = workerSetup.runtime().nanos();
    }
}
