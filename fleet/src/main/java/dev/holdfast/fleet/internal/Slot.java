package dev.holdfast.fleet.internal;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.internal.Futures;
import dev.holdfast.spi.Runtime;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One unit in this process, from being wanted to being handed over, and again.
 *
 * <p>It is a small state machine, and the one place from which a user's callbacks for the unit are called: the next begins
 * when the one before is over, whatever became of the lease meanwhile. A lease that is lost stops the work like one that
 * is wanted elsewhere, except that there is nothing left to hand over.
 *
 * <p>Confined to the worker's {@link Serial}.
 */
final class Slot implements HeldUnit.Owner {
    private final String name;
    private final Post post;
    private Phase phase = Phase.IDLE;
    private boolean wanted;
    private boolean finished;
    private final Fatigue fatigue;
    private @Nullable CompletableFuture<AcquireResult> asking;
    private @Nullable HeldUnit unit;
    private @Nullable RevokeReason stopFor;
    private @Nullable Throwable failure;
    private Runtime.@Nullable Timer deadline;

    private enum Phase {
        IDLE,
        ASKING,
        STARTING,
        RUNNING,
        STOPPING,
        RELEASING
    }

    Slot(String name, Post post) {
        this.name = name;
        this.post = post;
        this.fatigue = new Fatigue(post);
    }

    String name() {
        return name;
    }

    boolean isFinished() {
        return finished;
    }

    /** Whether it is resting after a failure. */
    boolean isResting() {
        return fatigue.isAny() && phase == Phase.IDLE;
    }

    /** Whether it is resting, and has not rested for long enough. */
    boolean isTiredNow() {
        return isResting() && !fatigue.isRested();
    }

    /** Whether it was given to this worker, which has not begun with it but means to. */
    boolean isWaiting() {
        return wanted && !finished && !isResting() && phase != Phase.RUNNING;
    }

    boolean isEmpty() {
        return phase == Phase.IDLE;
    }

    void want() {
        wanted = true;
        goOn();
    }

    void unwant(RevokeReason reason) {
        wanted = false;
        stop(reason);
        dropIfOver();
    }

    /** A plan that came after the unit was finished still has it: somebody may have reopened it. */
    void askAnew() {
        finished = false;
        goOn();
    }

    /** Asks for the unit if it is time to. */
    void goOn() {
        if (phase != Phase.IDLE || !wanted || finished || !fatigue.isRested() || !post.mayAsk(name)) {
            return;
        }
        phase = Phase.ASKING;
        CompletableFuture<AcquireResult> asked = Attempt.of(() -> post.ask(name));
        asking = asked;
        Futures.whenDone(asked, (result, error) -> post.run(() -> answered(result, error)));
    }

    private void answered(@Nullable AcquireResult result, @Nullable Throwable error) {
        asking = null;
        phase = Phase.IDLE;
        Lease lease = result == null ? null : result.lease().orElse(null);
        if (error != null) {
            if (!(Futures.cause(error) instanceof CancellationException)) {
                post.trouble("acquiring " + name, Futures.cause(error));
            }
            makeSure(1);
            return;
        }
        if (lease != null && wanted && post.mayStart() && post.isUnit(lease)) {
            start(lease);
            return;
        } else if (lease != null) {
            release(lease);
            return;
        } else if (result instanceof AcquireResult.Done) {
            finished = true;
            post.changed();
        }
        // The next poll tries again: at once would be in vain, and without end.
        dropIfOver();
    }

    private void start(Lease lease) {
        HeldUnit started = new HeldUnit(name, lease, post.runtime(), this);
        unit = started;
        stopFor = null;
        phase = Phase.STARTING;
        post.hold(started);
        lease.onLost(reason -> post.run(() -> lost(started)));
        CompletionStage<?> assigned = call(() -> post.handler().assigned(started));
        Futures.whenDone(assigned, (nothing, error) -> post.run(() -> started(started, error)));
    }

    private static CompletionStage<?> call(Supplier<CompletionStage<?>> callback) {
        try {
            return callback.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void started(HeldUnit which, @Nullable Throwable error) {
        phase = Phase.RUNNING;
        Throwable failed = error == null ? failure : Futures.cause(error);
        if (finished) {
            over();
        } else if (failed != null) {
            giveBack(which, failed);
        } else if (stopFor != null) {
            callRevoked(which);
        } else {
            fatigue.recovered();
            post.changed();
        }
    }

    private void stop(RevokeReason reason) {
        HeldUnit held = unit;
        if (phase == Phase.ASKING && asking != null) {
            asking.cancel(false);
        } else if (held != null && (phase == Phase.STARTING || phase == Phase.RUNNING) && stopFor == null) {
            stopFor = reason;
            held.revoke(reason, post.options().revokeDeadline());
            deadline = post.schedule(post.options().revokeDeadline(), () -> overdue(held));
            if (phase == Phase.RUNNING) {
                callRevoked(held);
            }
        }
    }

    /** Stops the work, though the unit is still this worker's by plan. */
    void interrupt(RevokeReason reason) {
        stop(reason);
    }

    private void lost(HeldUnit which) {
        if (unit == which) {
            stop(RevokeReason.LOST);
        }
    }

    private void callRevoked(HeldUnit which) {
        phase = Phase.STOPPING;
        post.revoking(which);
        CompletionStage<?> revoked = call(() -> post.handler().revoked(which));
        Futures.whenDone(revoked, (nothing, error) -> post.run(() -> stopped(which, error)));
    }

    private void stopped(HeldUnit which, @Nullable Throwable error) {
        if (error != null) {
            post.unitFailed(name, Futures.cause(error));
        }
        if (finished) {
            over();
        } else {
            fatigue.recovered();
            release(which.lease());
        }
    }

    /** The work goes on though it should have stopped: what is left is to stop believing, and to let others have it. */
    private void overdue(HeldUnit which) {
        if (unit == which && (phase == Phase.STARTING || phase == Phase.STOPPING)) {
            post.overdue(which);
            Futures.whenDone(which.lease().releaseAsync(), (released, error) -> {});
        }
    }

    private void release(Lease lease) {
        phase = Phase.RELEASING;
        Futures.whenDone(lease.releaseAsync(), (released, error) -> post.run(() -> released(error, 1)));
    }

    private void released(@Nullable Throwable error, int attempt) {
        if (error == null) {
            over();
            return;
        }
        post.trouble("releasing " + name, Futures.cause(error));
        post.schedule(post.options().backoff(attempt), () -> makeSure(attempt + 1));
    }

    /** Goes on only when the store says that the unit is not held in this worker's name: else nobody could ever have it. */
    private void makeSure(int attempt) {
        phase = Phase.RELEASING;
        CompletionStage<Void> sure = Attempt.of(() -> post.reclaim(name));
        Futures.whenDone(sure, (nothing, error) -> post.run(() -> released(error, attempt)));
    }

    private void over() {
        if (unit != null) {
            post.letGo(unit);
        }
        if (deadline != null) {
            deadline.cancel();
        }
        unit = null;
        stopFor = null;
        failure = null;
        phase = Phase.IDLE;
        if (finished || fatigue.isAny()) {
            post.urgent();
        }
        post.changed();
        dropIfOver();
        goOn();
    }

    private void dropIfOver() {
        if (!wanted && phase == Phase.IDLE) {
            post.forget(this);
        }
    }

    @Override
    public void finished(HeldUnit which) {
        post.run(() -> {
            if (unit == which) {
                finished = true;
                if (phase == Phase.RUNNING) {
                    over();
                }
            }
        });
    }

    @Override
    public void failed(HeldUnit which, Throwable cause) {
        post.run(() -> {
            if (unit == which && phase == Phase.RUNNING) {
                giveBack(which, cause);
            } else if (unit == which && phase == Phase.STARTING) {
                failure = cause;
            }
        });
    }

    private void giveBack(HeldUnit which, Throwable cause) {
        fatigue.failed();
        post.unitFailed(name, cause);
        release(which.lease());
    }
}
