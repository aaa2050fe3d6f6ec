package dev.holdfast.embedded;

import static java.util.Objects.requireNonNull;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.AsyncLeases;
import dev.holdfast.AttributePatch;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.EditResult;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseStatus;
import dev.holdfast.LeasesOptions;
import dev.holdfast.NotGrantedException;
import dev.holdfast.RenewOptions;
import dev.holdfast.RenewResult;
import dev.holdfast.StoreFeature;
import dev.holdfast.Token;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.internal.holding.AnchorLease;
import dev.holdfast.internal.holding.HeldLease;
import dev.holdfast.internal.holding.HeldLeases;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.RequestChecks;
import dev.holdfast.rules.ValidityRules.Tenure;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.ServiceBacked;
import dev.holdfast.service.StatusLookup.ListedStatus;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The asynchronous API on top of requests: checks the arguments, submits a request, and translates its answer. */
final class AsyncLeaseClient implements AsyncLeases, ServiceBacked {
    private static final Logger log = LoggerFactory.getLogger(AsyncLeases.class);

    private final LeaseService service;
    private final HeldLeases heldLeases;
    private final Holder self;

    AsyncLeaseClient(LeaseService service, LeasesOptions options) {
        this(service, options.holder(), new HeldLeases(service, options.isBackground()));
    }

    private AsyncLeaseClient(LeaseService service, Holder self, HeldLeases heldLeases) {
        this.service = service;
        this.self = self;
        this.heldLeases = heldLeases;
    }

    /** The same client, for the blocking forms: the calling thread waits for the result. */
    AsyncLeaseClient forWaitingCaller() {
        return new AsyncLeaseClient(service.forWaitingCaller(), self, heldLeases);
    }

    /** @throws dev.holdfast.support.ClientClosedException once the client is closed */
    private LeaseService openService() {
        heldLeases.requireOpen();
        return service;
    }

    @Override
    public CompletionStage<AcquireResult> tryAcquire(Key key, AcquireOptions options) {
        return acquire(key, options, Duration.ZERO);
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Key key, AcquireOptions options, Duration wait) {
        long waitNanos = RequestChecks.waitNanos(wait);
        RequestChecks.requireNotReserved(key);
        heldLeases.requireOpen();
        AnchorLease anchor = heldLeases.ownAnchor(options);
        if (anchor != null && !anchor.isHeld()) {
            return CompletableFuture.failedFuture(new LeaseLostException(anchor.key(), anchor.lostReason()));
        }
        LeaseRequest.Acquire request = new LeaseRequest.Acquire(
                Token.of(service.environment().randomId()),
                options.holder().orElse(self),
                anchor == null ? Term.of(options.term()) : anchor.term(),
                AttributePatch.NONE.putAll(options.attributes()),
                anchor == null ? null : anchor.ref());
        HeldLease.Terms terms = new HeldLease.Terms(options.isAutoRenew(), anchor);
        return Futures.claim(
                service.acquire(key, request, waitNanos),
                answer -> result(key, answer, request, terms),
                unwanted -> unwanted.granted().ifPresent(Lease::releaseAsync));
    }

    private AcquireResult result(Key key, Answer answer, LeaseRequest.Acquire request, HeldLease.Terms terms) {
        if (answer instanceof Answer.Applied applied) {
            return new AcquireResult.Granted(heldLeases.granted(applied, request, terms));
        }
        Decision.Refusal refusal = ((Answer.Refused) answer).refusal();
        if (refusal instanceof Decision.Finished finished) {
            return new AcquireResult.Done(key, finished.doneAt());
        }
        Decision.Held held = (Decision.Held) refusal;
        return heldByAnother(key, held);
    }

    private static AcquireResult.HeldByAnother heldByAnother(Key key, Decision.Held held) {
        return new AcquireResult.HeldByAnother(key, held.holder(), held.fence(), held.shownRemaining());
    }

    @Override
    public CompletionStage<Anchor> anchor(String holder, Duration term) {
        openService().features().require(StoreFeature.ANCHORS, null);
        Holder name = Holder.of(holder);
        Key key = Key.ofAnchor(name);
        LeaseRequest.Acquire request = LeaseRequest.Acquire.of(name, term, service.environment());
        // If the previous holder has just died, its term and the margin must pass. If it is alive, waiting longer does
        // not help.
        Duration patience = service.patience(request.term()).plus(term);
        return Futures.claim(
                service.acquire(key, request, patience.toNanos()),
                answer -> {
                    if (answer instanceof Answer.Applied applied) {
                        return heldLeases.anchored(applied, request);
                    }
                    throw new NotGrantedException(result(key, answer, request, new HeldLease.Terms(true, null)));
                },
                Lease::releaseAsync);
    }

    @Override
    public CompletionStage<RenewResult> renew(Key key, Token token, RenewOptions options) {
        LeaseRequest.Renew request = new LeaseRequest.Renew(
                token,
                options.term().map(Term::of).orElse(null),
                options.attributes(),
                heldLeases.nextSuccessor(),
                options.holder().orElse(null));
        return openService().submit(key, request).thenApply(answer -> {
            Answer.Applied applied = (Answer.Applied) answer.unlessLost(key);
            Grant grant = requireNonNull(requireNonNull(applied.entry()).grant());
            if (grant.anchor() != null) {
                // The lease is kept alive by renewals of its anchor, and this was not one.
                return new RenewResult(grant.token(), Duration.ZERO);
            }
            Tenure tenure = service.validity()
                    .tenure(grant.term(), applied.firstSent(), applied.lastSent(), applied.answered());
            return new RenewResult(grant.token(), service.validity().remaining(tenure, service.reading()));
        });
    }

    @Override
    public CompletionStage<Boolean> release(Key key, Token token) {
        return released(key, new LeaseRequest.Release(token));
    }

    @Override
    public CompletionStage<Boolean> releaseTo(Key key, Token token, String next) {
        return released(key, new LeaseRequest.Release(token, Holder.of(next)));
    }

    private CompletionStage<Boolean> released(Key key, LeaseRequest.Release request) {
        return openService().release(key, request).thenApply(answer -> !(answer instanceof Answer.Refused));
    }

    @Override
    public CompletionStage<Void> done(Key key, Token token, AttributePatch patch) {
        LeaseService open = openService();
        RequestChecks.requireMayBeDone(key);
        return open.submit(key, new LeaseRequest.Done(token, patch)).thenAccept(answer -> answer.unlessLost(key));
    }

    @Override
    public CompletionStage<Void> update(Key key, Token token, AttributePatch patch) {
        return openService()
                .submit(key, new LeaseRequest.Update(token, patch))
                .thenAccept(answer -> answer.unlessLost(key));
    }

    @Override
    public CompletionStage<EditResult> reopen(Key key) {
        return edited(key, openService().submit(key, new LeaseRequest.Reopen()));
    }

    @Override
    public CompletionStage<EditResult> delete(Key key, @Nullable Token token) {
        return edited(key, openService().submit(key, new LeaseRequest.Delete(token)));
    }

    @Override
    public CompletionStage<EditResult> evict(Key key, String reason) {
        return evict(key, reason, self);
    }

    @Override
    public CompletionStage<EditResult> evict(Key key, String reason, Holder actor) {
        if (reason.isBlank()) {
            throw ArgumentCheck.bad("reason", reason, "why the lease is evicted, for its holder and for operators");
        }
        return edited(key, openService().evict(key, new LeaseRequest.EvictByForce(actor, reason)))
                .thenApply(result -> {
                    if (result instanceof EditResult.Changed) {
                        log.warn("{} was evicted by force by {}: {}", key, actor, ArgumentCheck.printable(reason));
                        service.listener().onEvicted(key, reason);
                    }
                    return result;
                });
    }

    private static CompletionStage<EditResult> edited(Key key, CompletableFuture<Answer> submitted) {
        return submitted.thenApply(answer -> {
            if (answer instanceof Answer.Applied) {
                return new EditResult.Changed();
            }
            if (answer instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Held held) {
                return heldByAnother(key, held);
            }
            return new EditResult.Unchanged();
        });
    }

    @Override
    public CompletionStage<Optional<LeaseStatus>> get(Key key) {
        openService().features().require(key);
        return service.statuses().get(key);
    }

    @Override
    public CompletionStage<LeaseExplanation> explain(Key key) {
        openService().features().require(key);
        CompletableFuture<LeaseExplanation> explained = service.statuses().explain(key);
        return service.decidesHere() ? explained.thenCompose(it -> ExplanationSources.extend(it, this)) : explained;
    }

    @Override
    public CompletionStage<StatusPage> list(LeaseFilter filter, @Nullable String cursor, int limit) {
        return openService()
                .statuses()
                .list(filter, cursor, limit)
                .thenApply(page -> new StatusPage(
                        page.entries().stream().map(ListedStatus::status).toList(), page.cursor()));
    }

    @Override
    public CompletionStage<Long> cleanUp(CleanUpOptions options) {
        openService().features().require(StoreFeature.CLEAN_UP, null);
        return service.statuses().cleanUp(options);
    }

    @Override
    public LeaseService service() {
        return service;
    }

    /** Releases every lease. The future completes when each of them is answered. */
    CompletableFuture<Void> releaseAll() {
        return heldLeases.releaseAll(service);
    }
}
