package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.rules.LeaseRequest;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The release of grants that reached no caller. A grant that was renewed since is kept. */
public final class GrantReleaser {
    private static final Logger log = LoggerFactory.getLogger(GrantReleaser.class);

    private final RequestSubmitter submitter;
    private final PipelineClock clock;
    private final Duration timeout;

    GrantReleaser(RequestSubmitter submitter, PipelineClock clock, Duration timeout) {
        this.submitter = submitter;
        this.clock = clock;
        this.timeout = timeout;
    }

    /** Releases a grant, unless another call with the same token made it: that caller may rely on it. */
    public void release(Answer.Applied granted) {
        if (!granted.found()) {
            CompletionStage<Void> unused = release(Objects.requireNonNull(granted.entry()));
        }
    }

    public CompletionStage<Void> release(Entry granted) {
        Key key = granted.key();
        Grant grant = Objects.requireNonNull(granted.grant());
        LeaseRequest request = new LeaseRequest.GiveBack(grant.token(), grant.beat());
        CompletableFuture<Void> released = new CompletableFuture<>();
        Futures.whenDone(
                submitter.submit(key, request, clock.nanos() + timeout.toNanos(), new CallWrites()), (done, error) -> {
                    if (error != null) {
                        log.warn("{} was granted too late and not released; it ends with its term", key, error);
                        released.completeExceptionally(Futures.cause(error));
                    } else {
                        released.complete(null);
                    }
                });
        return released;
    }
}
