package dev.holdfast.internal.waiting;

import dev.holdfast.LeaseListener;
import dev.holdfast.internal.pipeline.EntryCache;
import dev.holdfast.internal.pipeline.GrantReleaser;
import dev.holdfast.internal.pipeline.PipelineClock;
import dev.holdfast.internal.pipeline.RequestSubmitter;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.store.ChangeNotifier;
import java.time.Duration;
import java.util.Optional;

/**
 * The collaborators that all wait queues share.
 *
 * @param notifier the notifier of the store; empty if the store does not notify
 */
record WaitEnvironment(
        RequestSubmitter submitter,
        GrantReleaser releaser,
        EntryCache cache,
        PipelineClock clock,
        ValidityRules validity,
        Optional<ChangeNotifier> notifier,
        Duration operationTimeout,
        LeaseListener listener) {
    long nanos() {
        return clock.nanos();
    }

    long operationTimeoutNanos() {
        return operationTimeout.toNanos();
    }
}
