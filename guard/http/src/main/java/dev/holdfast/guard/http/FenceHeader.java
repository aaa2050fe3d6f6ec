package dev.holdfast.guard.http;

import dev.holdfast.Fence;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.guard.FenceGuard;

/** The header of a request that carries the fence of a lease, as a decimal number. */
public final class FenceHeader {
    public static final String NAME = "Holdfast-Fence";

    private FenceHeader() {}

    /**
     * The value of the header for a request that is sent now.
     *
     * @throws LeaseLostException if the lease was lost
     * @throws IllegalStateException if this process ended the lease
     * @throws IllegalArgumentException if the fence can fall: in the tables of other tools
     */
    public static String valueOf(Lease lease) {
        Fence fence = FenceGuard.fenceOf(lease);
        lease.checkHeld();
        return Long.toString(fence.value());
    }
}
