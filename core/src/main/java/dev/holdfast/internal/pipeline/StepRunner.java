package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.StoreException;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.support.Futures;
import java.util.Objects;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the steps of a request that are not writes: reads, evictions of anchors, retries, and the answer. Any
 * failure ends the request that it concerns, and no other.
 */
final class StepRunner {
    private static final Logger log = LoggerFactory.getLogger(StepRunner.class);

    private final BatchReader reader;
    private final RetryTimers timers;
    private final WriteConclusions conclusions;
    private final GrantReleaser releaser;
    private final RequestSubmitter submitter;
    private final PipelineClock clock;
    private final LeaseListener listener;

    StepRunner(
            BatchReader reader,
            RetryTimers timers,
            WriteConclusions conclusions,
            GrantReleaser releaser,
            RequestSubmitter submitter,
            PipelineClock clock,
            LeaseListener listener) {
        this.reader = reader;
        this.timers = timers;
        this.conclusions = conclusions;
        this.releaser = releaser;
        this.submitter = submitter;
        this.clock = clock;
        this.listener = listener;
    }

    /** The queue that a request returns to. */
    interface Resumption {
        /** Puts a request back into the queue. */
        void resume(PendingRequest pending);

        /** Ends a request that waits for its next attempt. */
        void abandon(PendingRequest pending);
    }

    /** Runs {@code step}, which is not {@link NextStep.Send}. */
    void run(PendingRequest pending, NextStep step, Resumption queue) {
        contain(pending, queue, () -> {
            if (step instanceof NextStep.Read read) {
                read(pending, read.key(), queue);
            } else if (step instanceof NextStep.EvictAnchor evict) {
                evict(pending, evict.anchor(), queue);
            } else if (step instanceof NextStep.Conclude conclude) {
                CallbackThread.run(() -> conclude(pending, conclude.conclusion(), queue));
            }
        });
    }

    /** Draws a conclusion, and carries it out. */
    void conclude(PendingRequest pending, Supplier<Conclusion> conclusion, Resumption queue) {
        contain(pending, queue, () -> conclude(pending, conclusion.get(), queue));
    }

    @SuppressWarnings("IllegalCatch") // Otherwise its caller, and all others of the batch, would wait for ever.
    private void contain(PendingRequest pending, Resumption queue, Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            log.error("a request for {} failed in an unforeseen way", pending.key, e);
            conclude(pending, conclusions.fail(pending, StoreFailures.of(e), StoreException.Effect.UNKNOWN), queue);
        }
    }

    private void conclude(PendingRequest pending, Conclusion conclusion, Resumption queue) {
        if (conclusion instanceof Conclusion.Answered answered) {
            answer(pending, answered.answer(), queue);
        } else if (conclusion instanceof Conclusion.Undeliverable undeliverable) {
            release(pending, undeliverable, queue);
        } else if (conclusion instanceof Conclusion.Failed failed) {
            CallbackThread.run(() -> pending.future.completeExceptionally(failed.failure()));
        } else if (conclusion instanceof Conclusion.Undecidable undecidable) {
            Throwable cause = undecidable.cause();
            log.error("a request for {} could not be decided", pending.key, cause);
            StoreException failure = StoreException.rejected("the request could not be decided: " + cause, cause);
            conclude(pending, conclusions.fail(pending, failure, WriteConclusions.effectOfLastChange(pending)), queue);
        } else if (conclusion instanceof Conclusion.Requeue) {
            queue.resume(pending);
        } else if (conclusion instanceof Conclusion.RetryAfter retry) {
            timers.pause(retry.delay(), () -> queue.resume(pending), closed -> {
                pending.future.completeExceptionally(closed);
                queue.abandon(pending);
            });
        }
    }

    private void answer(PendingRequest pending, Answer answer, Resumption queue) {
        listener.onAnswered(pending.key, clock.nanos() - pending.begunNanos);
        if (!pending.future.complete(answer) && answer instanceof Answer.Applied applied) {
            release(pending, new Conclusion.Undeliverable(applied.entry()), queue);
        }
    }

    private void release(PendingRequest pending, Conclusion.Undeliverable undeliverable, Resumption queue) {
        if (pending.request instanceof LeaseRequest.Acquire && pending.mayRelease()) {
            var unused = releaser.release(Objects.requireNonNull(undeliverable.entry()));
        }
        StoreException late = StoreException.notApplied("the answer came too late", null);
        conclude(pending, conclusions.fail(pending, late, StoreException.Effect.UNKNOWN), queue);
    }

    private void read(PendingRequest pending, Key key, Resumption queue) {
        Futures.whenDone(reader.read(key), (seen, error) -> {
            if (seen == null) {
                conclude(pending, () -> conclusions.storeFailed(pending, StoreFailures.of(error)), queue);
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
                        conclude(pending, () -> conclusions.storeFailed(pending, StoreFailures.of(error)), queue);
                        return;
                    }
                    if (answer instanceof Answer.Applied) {
                        listener.onEvicted(anchor, "not renewed for longer than its term");
                    }
                    queue.resume(pending);
                });
    }
}
