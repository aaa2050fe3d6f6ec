package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.store.Entry;
import dev.holdfast.support.Futures;
import dev.holdfast.support.RetryBackoff;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The release of grants that reached no caller. A grant that was renewed since is kept.
 *
 * <p>A release that fails is retried while the grant has an anchor. Other grants end with their term, but an anchored one
 * would last as long as its anchor, and its own client would wait for it.
 */
public final class GrantReleaser {
    private static final Logger log = LoggerFactory.getLogger(GrantReleaser.class);

    private final RequestSubmitter submitter;
    private final PipelineClock clock;
    private final RetryTimers retryTimers;
    private final Duration timeout;

    GrantReleaser(RequestSubmitter submitter, PipelineClock clock, RetryTimers retryTimers, Duration timeout) {
        this.submitter = submitter;
        this.clock = clock;
        this.retryTimers = retryTimers;
        this.timeout = timeout;
    }

    /** Releases a grant. The future completes after the first attempt. */
    public CompletableFuture<Void> release(Entry granted) {
        return release(granted, 0);
    }

    /** The same, unless another call with the same token made the grant: that caller may rely on it. */
    public CompletableFuture<Void> release(Answer.Applied granted) {
        return granted.found()
                ? CompletableFuture.completedFuture(null)
                : release(Objects.requireNonNull(granted.entry()));
    }

    private CompletableFuture<Void> release(Entry granted, int attempt) {
        Key key = granted.key();
        LeaseRequest request = LeaseRequest.ReleaseUndelivered.of(granted);
        CompletableFuture<Void> released = new CompletableFuture<>();
        Futures.whenDone(
                submitter.submit(key, request, clock.nanos() + timeout.toNanos(), new CallWrites(), false),
                (done, error) -> {
                    if (error == null) {
                        if (done instanceof Answer.Applied) {
                            log.debug(
                                    "{} was released: its grant with fence {} reached no caller", key, granted.fence());
                        }
                        released.complete(null);
                        return;
                    }
                    Throwable cause = Futures.cause(error);
                    if (granted.heldThrough() != null
                            && cause instanceof StoreException failure
                            && failure.isRetryable()) {
                        if (attempt == 0) {
                            log.warn(
                                    "{} was granted too late and not released yet; the release is retried", key, error);
                        }
                        retryLater(granted, attempt);
                    } else {
                        log.warn("{} was granted too late and not released; it ends with its term", key, error);
                    }
                    released.completeExceptionally(cause);
                });
        return released;
    }

    private void retryLater(Entry granted, int attempt) {
        Duration delay = RetryBackoff.RETRY.delay(attempt, clock.environment());
        retryTimers.pause(
                delay,
                () -> {
                    CompletableFuture<Void> unused = release(granted, attempt + 1);
                },
                closed -> log.debug("{} was not released; it ends with its anchor", granted.key()));
    }
}
