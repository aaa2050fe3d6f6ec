package dev.holdfast.internal.pipeline;

import dev.holdfast.LeaseListener;
import java.time.Duration;

/**
 * The bounds of a pipeline.
 *
 * @param operationTimeout how long a request is tried for, unless it has a deadline of its own
 * @param settleTimeout how long a request that was given up is settled for
 * @param queueLimit the most requests that may wait for the store
 * @param cacheSize the most last-seen entries that are kept
 */
public record PipelineOptions(
        Duration operationTimeout, Duration settleTimeout, int queueLimit, int cacheSize, LeaseListener listener) {}
