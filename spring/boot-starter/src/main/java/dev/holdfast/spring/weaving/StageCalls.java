package dev.holdfast.spring.weaving;

import dev.holdfast.AttributePatch;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.NotGrantedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Calls of methods that return a stage. The key is acquired, and the method called, on the caller's thread; the lease is kept
 * until the stage completes.
 */
final class StageCalls {
    private StageCalls() {}

    static @Nullable CompletionStage<?> run(LeasedCall call) throws Exception {
        WovenMethod method = call.method();
        Lease lease;
        try {
            lease = call.leases()
                    .acquire(call.key(), method.options(), method.waitFor())
                    .orThrow();
        } catch (NotGrantedException e) {
            return call.isSkipped(e) ? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(e);
        } catch (InterruptedException e) {
            return CompletableFuture.failedFuture(call.interrupted(e));
        }
        CompletionStage<?> work = start(call, lease);
        return work == null ? null : keep(call, lease, work);
    }

    /** Calls the method; a loss interrupts it until it has returned its stage. */
    private static @Nullable CompletionStage<?> start(LeasedCall call, Lease lease) throws Exception {
        InterruptibleSection section = new InterruptibleSection();
        lease.onLost(reason -> section.interrupt());
        CompletionStage<?> work = null;
        try {
            work = (CompletionStage<?>) call.proceed(lease);
            return work;
        } finally {
            section.end();
            if (work == null) {
                lease.close();
            }
        }
    }

    private static CompletableFuture<?> keep(LeasedCall call, Lease lease, CompletionStage<?> work) {
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        lease.onLost(reason -> {
            result.completeExceptionally(new LeaseLostException(lease.key(), reason));
            work.toCompletableFuture().cancel(true);
        });
        var unused = work.whenComplete((value, error) -> finish(call, lease, value, error, result));
        // The caller may cancel: then the work is cancelled, too, and its end releases the key.
        var unused2 = result.whenComplete((value, error) -> {
            if (result.isCancelled()) {
                work.toCompletableFuture().cancel(true);
            }
        });
        return result;
    }

    private static void finish(
            LeasedCall call,
            Lease lease,
            @Nullable Object value,
            @Nullable Throwable error,
            CompletableFuture<@Nullable Object> result) {
        Throwable failure = error == null ? loss(lease) : error;
        CompletionStage<?> end =
                failure == null && call.method().once() ? lease.doneAsync(AttributePatch.NONE) : lease.releaseAsync();
        var unused = end.whenComplete((nothing, endError) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else if (endError != null && call.method().once()) {
                result.completeExceptionally(cause(endError));
                var unused2 = lease.releaseAsync();
            } else {
                result.complete(value); // A key that could not be released is free when its term ends.
            }
        });
    }

    static @Nullable LeaseLostException loss(Lease lease) {
        try {
            lease.checkHeld();
            return null;
        } catch (LeaseLostException e) {
            return e;
        } catch (IllegalStateException e) {
            return null; // The work itself has ended it.
        }
    }

    private static Throwable cause(Throwable error) {
        Throwable cause = error instanceof CompletionException ? error.getCause() : null;
        return cause == null ? error : cause;
    }
}
