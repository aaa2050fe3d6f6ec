package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import java.util.concurrent.CompletableFuture;

/** The entrance of the pipeline. Thread-safe; never blocks. */
public interface RequestSubmitter {
    /**
     * Starts a request that is given up at {@code deadlineNanos}.
     *
     * @param writes the writes of the call that the request is an attempt of
     * @param callerWaits whether the calling thread waits for the answer, so that an idle store may run the request on it
     */
    CompletableFuture<Answer> submit(
            Key key, LeaseRequest request, long deadlineNanos, CallWrites writes, boolean callerWaits);
}
