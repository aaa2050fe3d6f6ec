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
final class AssignedUnit implements Unit {
    private final String name;
    private final Lease lease;
    private final HostEnvironment hostEnvironment;
    private final Owner owner;
    private volatile @Nullable Revocation revocation;

    /**
     * The decision to stop the work.
     *
     * @param within how long stopping may take, once it has begun
     * @param startedNanos when stopping began; null if it has not
     */
    private record Revocation(
            RevokeReason reason, Duration within, @Nullable Long startedNanos) {}

    /** The receiver of the user's actions on a unit. */
    interface Owner {
        void finished(AssignedUnit unit);

        void failed(AssignedUnit unit, Throwable cause);
    }

    AssignedUnit(String name, Lease lease, HostEnvironment hostEnvironment, Owner owner) {
        this.name = name;
        this.lease = lease;
        this.hostEnvironment = hostEnvironment;
        this.owner = owner;
    }

    Lease lease() {
        return lease;
    }

    void revoke(RevokeReason reason, Duration within) {
        revocation = new Revocation(reason, within, null);
    }

    void stopStarted() {
        Revocation decided = revocation;
        if (decided != null) {
            revocation = new Revocation(decided.reason, decided.within, hostEnvironment.nanos());
        }
    }

    boolean isRevoked() {
        return revocation != null;
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
        return Optional.ofNullable(revocation).map(Revocation::reason);
    }

    @Override
    public Duration timeToStop() {
        Duration remaining = lease.remaining();
        Revocation decided = revocation;
        if (decided == null) {
            return remaining;
        }
        Duration left = decided.startedNanos == null
                ? decided.within
                : decided.within.minusNanos(hostEnvironment.nanos() - decided.startedNanos);
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
