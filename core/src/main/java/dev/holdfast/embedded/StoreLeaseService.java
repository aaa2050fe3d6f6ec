package dev.holdfast.embedded;

import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.StoreFeature;
import dev.holdfast.internal.pipeline.CallWrites;
import dev.holdfast.internal.pipeline.PipelineOptions;
import dev.holdfast.internal.pipeline.RequestPipeline;
import dev.holdfast.internal.waiting.WaitQueues;
import dev.holdfast.rules.FeatureRules;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseActivity;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.StatusLookup;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.Term;
import dev.holdfast.support.ClientClosedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The requests of a client on a store: a pipeline that decides them, and the wait queues in front of it. */
final class StoreLeaseService implements LeaseService {
    private final RuleSet rules;
    private final PipelineOptions options;
    private final RequestPipeline pipeline;
    private final WaitQueues waitQueues;
    private final RenewalMargins margins;
    private final StatusListing statuses;
    private final boolean callerWaits;

    StoreLeaseService(AsyncStore store, HostEnvironment environment, RuleSet rules, PipelineOptions options) {
        this.rules = rules;
        this.options = options;
        this.pipeline = new RequestPipeline(store, environment, rules, options, this::freed);
        this.waitQueues = new WaitQueues(
                pipeline, rules.validity(), store.notifier(), options.operationTimeout(), options.listener());
        this.margins = new RenewalMargins(pipeline.cache(), environment, options.cacheSize());
        this.statuses = new StatusListing(this, pipeline.reads(), rules, waitQueues, margins);
        this.callerWaits = false;
    }

    private StoreLeaseService(StoreLeaseService other, boolean callerWaits) {
        this.rules = other.rules;
        this.options = other.options;
        this.pipeline = other.pipeline;
        this.waitQueues = other.waitQueues;
        this.margins = other.margins;
        this.statuses = other.statuses;
        this.callerWaits = callerWaits;
    }

    @Override
    public LeaseService forWaitingCaller() {
        return new StoreLeaseService(this, true);
    }

    @Override
    public void together(Runnable submissions) {
        pipeline.together(submissions);
    }

    private void freed(Key key) {
        waitQueues.freed(key);
    }

    @Override
    public CompletableFuture<Answer> submit(Key key, LeaseRequest request) {
        return submit(key, request, nanos() + options.operationTimeout().toNanos());
    }

    @Override
    public CompletableFuture<Answer> submit(Key key, LeaseRequest request, long deadlineNanos) {
        return request instanceof LeaseRequest.Renew
                ? margins.noting(key, () -> send(key, request, deadlineNanos))
                : send(key, request, deadlineNanos);
    }

    private CompletableFuture<Answer> send(Key key, LeaseRequest request, long deadlineNanos) {
        return pipeline.submit(key, request, deadlineNanos, new CallWrites(), callerWaits);
    }

    /** The waiting requests for one key are granted it in order of arrival. */
    @Override
    public CompletableFuture<Answer> acquire(Key key, LeaseRequest.Acquire request, long waitNanos) {
        if (waitNanos == 0 && !waitQueues.isWaitedFor(key)) {
            return submit(key, request);
        }
        rules.features().require(key, request);
        return waitQueues.acquire(key, request, nanos() + waitNanos, callerWaits);
    }

    @Override
    public CompletableFuture<Answer> release(Key key, LeaseRequest.Release request) {
        CompletableFuture<Answer> handedOver =
                pipeline.isClosed() ? null : waitQueues.handOver(key, request, callerWaits);
        boolean canName = rules.features().has(StoreFeature.ATTRIBUTES) && !key.isAnchor();
        return handedOver == null
                ? submit(key, canName ? request : new LeaseRequest.Release(request.token()))
                : handedOver;
    }

    @Override
    public CompletableFuture<Void> releaseUndelivered(Answer.Applied granted) {
        return pipeline.releaser().release(granted);
    }

    @Override
    public CompletableFuture<Answer> evict(Key key, LeaseRequest.EvictByForce request) {
        return submit(key, request);
    }

    @Override
    public StatusLookup statuses() {
        return statuses;
    }

    @Override
    public LeaseActivity activity() {
        return new LeaseActivity() {
            @Override
            public WaitingSummary waiting(Predicate<Key> selected, int most) {
                return waitQueues.lines(selected, most);
            }

            @Override
            public List<LateRenewal> lateRenewals(Predicate<Key> selected, int most) {
                return margins.late(selected, most);
            }
        };
    }

    /** The imports into the store. */
    LocalImport imports() {
        return new LocalImport(this, pipeline.reads());
    }

    @Override
    public @Nullable ObservedEntry lastObserved(Key key) {
        return pipeline.cache().get(key);
    }

    @Override
    public boolean decidesHere() {
        return true;
    }

    @Override
    public void endWaiting() {
        waitQueues.failAll(ClientClosedException.underWay());
    }

    /** Fails all waiting requests, and all later ones. Requests that were sent to the store still get its answer. */
    void close() {
        pipeline.close();
        endWaiting();
    }

    @Override
    public ValidityRules validity() {
        return rules.validity();
    }

    @Override
    public int historyLength() {
        return rules.decisions().history().length();
    }

    @Override
    public FeatureRules features() {
        return rules.features();
    }

    @Override
    public Duration patience(Term term) {
        return rules.expiry().patience(term);
    }

    @Override
    public HostEnvironment environment() {
        return pipeline.clock().environment();
    }

    @Override
    public LeaseListener listener() {
        return options.listener();
    }
}
