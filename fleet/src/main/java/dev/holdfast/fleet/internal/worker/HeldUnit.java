package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Lease;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A unit together with the lease that holds it. */
final class HeldUnit implements Unit {
    private final String name;
    private final Lease lease;
    private final HostEnvironment hostEnvironment;
    private final Owner owner;
    private volatile @Nullable RevokeReason revoked;
    private volatile Duration stopWithin = Duration.ZERO;
    private volatile long stopStartedNanos;
    private volatile boolean hasStopStarted;

    /** The receiver of the user's actions on a unit. */
    interface Owner {
        void finished(HeldUnit unit);

        void failed(HeldUnit unit, Throwable cause);
    }

    HeldUnit(String name, Lease lease, HostEnvironment hostEnvironment, Owner owner) {
        this.name = name;
        this.lease = lease;
        this.hostEnvironment = hostEnvironment;
        this.owner = owner;
    }

    Lease lease() {
        return lease;
    }

    /** @param within how long stopping may take, once it has begun */
    void revoke(RevokeReason reason, Duration within) {
        stopWithin = within;
        revoked = reason;
    }

    void stopStarted() {
        stopStartedNanos = hostEnvironment.nanos();
        hasStopStarted = true;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Fence fence() {
        return lease.fence();
    }

    @Override
    public Attributes attributes() {
        return UnitAttributes.shown(lease.attributes());
    }

    @Override
    public boolean isHeld() {
        return lease.isHeld();
    }

    @Override
    public Duration remaining() {
        return lease.remaining();
    }

    @Override
    public Optional<RevokeReason> revoked() {
        return Optional.ofNullable(revoked);
    }

    @Override
    public Duration timeToStop() {
        Duration remaining = lease.remaining();
        if (revoked == null) {
            return remaining;
        }
        Duration left = hasStopStarted ? stopWithin.minusNanos(hostEnvironment.nanos() - stopStartedNanos) : stopWithin;
        if (left.isNegative()) {
            return Duration.ZERO;
        }
        return left.compareTo(remaining) < 0 ? left : remaining;
    }

    @Override
    public CompletionStage<Void> updateAsync(AttributePatch patch) {
        return lease.updateAsync(UnitAttributes.keepingMarks(patch));
    }

    @Override
    public CompletionStage<Void> doneAsync(AttributePatch patch) {
        return lease.doneAsync(UnitAttributes.keepingMarks(patch)).thenRun(() -> owner.finished(this));
    }

    @Override
    public void fail(Throwable cause) {
        owner.failed(this, cause);
    }

    @Override
    public HostEnvironment runtime() {
        return hostEnvironment;
    }

    @Override
    public String toString() {
        return "Unit[" + name + ", fence " + fence() + "]";
    }
}
