package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.StoreException;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.store.Entry;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.support.Futures;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the steps of a request that are not writes: reads, evictions of anchors, retries, and the answer. Any
 * failure ends the request that it concerns, and no other.
 */
record StepRunner(
        BatchReader reader,
        RetryTimers timers,
        WriteConclusions conclusions,
        GrantReleaser releaser,
        RequestSubmitter submitter,
        PipelineClock clock,
        LeaseListener listener) {
    private static final Logger log = LoggerFactory.getLogger(StepRunner.class);

    /** The queue that a request returns to. */
    interface Resumption {
        /** Puts a request back into the queue. */
        void resume(PendingRequest pending);

        /** Ends a request that waits for its next attempt. */
        void abandon(PendingRequest pending);
    }

    /** Carries out {@code step}, which is neither {@link NextStep.Send} nor {@link NextStep.Drop}. */
    void run(PendingRequest pending, NextStep step, Resumption queue) {
        run(pending, () -> step, queue);
    }

    @SuppressWarnings("IllegalCatch") // Otherwise its caller, and all others of the batch, would wait for ever.
    void run(PendingRequest pending, Supplier<NextStep> step, Resumption queue) {
        try {
            carryOut(pending, step.get(), queue);
        } catch (Throwable e) {
            log.error("a request for {} failed in an unforeseen way", pending.key, e);
            carryOut(pending, conclusions.fail(pending, StoreFailures.of(e), StoreException.Effect.UNKNOWN), queue);
        }
    }

    private void carryOut(PendingRequest pending, NextStep step, Resumption queue) {
        if (step instanceof NextStep.Read read) {
            read(pending, read.key(), queue);
        } else if (step instanceof NextStep.EvictAnchor evict) {
            evict(pending, evict.anchor(), queue);
        } else if (step instanceof NextStep.Requeue) {
            queue.resume(pending);
        } else if (step instanceof NextStep.RetryAfter retry) {
            timers.pause(retry.delay(), () -> queue.resume(pending), closed -> {
                pending.future.completeExceptionally(closed);
                queue.abandon(pending);
            });
        } else if (step instanceof NextStep.Respond respond) {
            CallbackThread.run(() -> answer(pending, respond.answer(), queue));
        } else if (step instanceof NextStep.ReleaseGrant undeliverable) {
            release(pending, undeliverable.entry(), queue);
        } else if (step instanceof NextStep.Fail failed) {
            CallbackThread.run(() -> pending.future.completeExceptionally(failed.failure()));
        } else if (step instanceof NextStep.ReportBug bug) {
            log.error("a request for {} could not be decided", pending.key, bug.cause());
            StoreException failure =
                    StoreException.rejected("the request could not be decided: " + bug.cause(), bug.cause());
            carryOut(pending, conclusions.fail(pending, failure, WriteConclusions.effectOfLastChange(pending)), queue);
        }
    }

    private void answer(PendingRequest pending, Answer answer, Resumption queue) {
        listener.onAnswered(pending.key, clock.nanos() - pending.begunNanos);
        if (!pending.future.complete(answer) && answer instanceof Answer.Applied applied) {
            release(pending, applied.entry(), queue);
        }
    }

    private void release(PendingRequest pending, @Nullable Entry undeliverable, Resumption queue) {
        if (pending.request instanceof LeaseRequest.Acquire && pending.mayRelease()) {
            var unused = releaser.release(Objects.requireNonNull(undeliverable));
        }
        StoreException late = StoreException.notApplied("the answer came too late", null);
        carryOut(pending, conclusions.fail(pending, late, StoreException.Effect.UNKNOWN), queue);
    }

    private void read(PendingRequest pending, Key key, Resumption queue) {
        Futures.whenDone(reader.read(key), (seen, error) -> {
            if (seen == null) {
                run(pending, () -> conclusions.storeFailed(pending, StoreFailures.of(error)), queue);
            } else {
                pending.observed(key, seen);
                queue.resume(pending);
            }
        });
    }

    private void evict(PendingRequest pending, Key anchor, Resumption queue) {
        Futures.whenDone(
                submitter.submit(
                        anchor, new LeaseRequest.EvictExpired(), pending.deadlineNanos, new CallWrites(), false),
                (answer, error) -> {
                    if (answer == null) {
                        run(pending, () -> conclusions.storeFailed(pending, StoreFailures.of(error)), queue);
                        return;
                    }
                    if (answer instanceof Answer.Applied) {
                        listener.onEvicted(anchor, "not renewed for longer than its term");
                    }
                    queue.resume(pending);
                });
    }
}
