package dev.holdfast.fleet.internal;

import dev.holdfast.Lease;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.Unit;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Attributes;
import dev.holdfast.model.Fence;
import dev.holdfast.spi.Runtime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A unit and the lease by which it is held. */
final class HeldUnit implements Unit {
    private final String name;
    private final Lease lease;
    private final Runtime runtime;
    private final Owner owner;
    private volatile @Nullable RevokeReason revoked;
    private volatile Duration stopWithin = Duration.ZERO;
    private volatile long stopBegunNanos;
    private volatile boolean stopBegun;

    /** Who must know what users do with a unit. */
    interface Owner {
        void finished(HeldUnit unit);

        void failed(HeldUnit unit, Throwable cause);
    }

    HeldUnit(String name, Lease lease, Runtime runtime, Owner owner) {
        this.name = name;
        this.lease = lease;
        this.runtime = runtime;
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

    void beginToStop() {
        stopBegunNanos = runtime.nanos();
        stopBegun = true;
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
        return Marks.shown(lease.attributes());
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
        Duration believed = lease.remaining();
        if (revoked == null) {
            return believed;
        }
        Duration left = stopBegun ? stopWithin.minusNanos(runtime.nanos() - stopBegunNanos) : stopWithin;
        if (left.isNegative()) {
            return Duration.ZERO;
        }
        return left.compareTo(believed) < 0 ? left : believed;
    }

    @Override
    public CompletionStage<Void> updateAsync(AttributePatch patch) {
        return lease.updateAsync(Marks.keepingMarks(patch));
    }

    @Override
    public CompletionStage<Void> doneAsync(AttributePatch patch) {
        return lease.doneAsync(Marks.keepingMarks(patch)).thenRun(() -> owner.finished(this));
    }

    @Override
    public void fail(Throwable cause) {
        owner.failed(this, cause);
    }

    @Override
    public Runtime runtime() {
        return runtime;
    }

    @Override
    public String toString() {
        return "Unit[" + name + ", fence " + fence() + "]";
    }
}
