package dev.holdfast.internal.client;

import static java.util.Objects.requireNonNull;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.AsyncLeases;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.EditResult;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.LeasesOptions;
import dev.holdfast.NotGrantedException;
import dev.holdfast.Relay;
import dev.holdfast.RenewOptions;
import dev.holdfast.RenewResult;
import dev.holdfast.internal.Check;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.Requests;
import dev.holdfast.internal.rules.Belief.Tenure;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.model.LeaseLostException;
import dev.holdfast.model.Power;
import dev.holdfast.model.Term;
import dev.holdfast.model.Token;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The API as requests: checks at the edge, then words the answers. */
public final class AsyncClient implements AsyncLeases {
    private static final Logger log = LoggerFactory.getLogger(AsyncLeases.class);

    private final Requests requests;
    private final Lookup lookup;
    private final Grants grants;
    private final Holder self;

    public AsyncClient(Requests requests, Lookup lookup, LeasesOptions options) {
        this.requests = requests;
        this.lookup = lookup;
        this.self = options.holder();
        this.grants = new Grants(requests, options.isBackground());
    }

    @Override
    public CompletionStage<AcquireResult> tryAcquire(Key key, AcquireOptions options) {
        return acquire(key, options, request -> requests.tryOnce(key, request));
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Key key, AcquireOptions options, Duration wait) {
        long deadlineNanos = requests.nanos() + Grants.waitNanos(wait);
        return acquire(key, options, request -> requests.await(key, request, deadlineNanos));
    }

    private CompletionStage<AcquireResult> acquire(
            Key key, AcquireOptions options, Function<Request.Acquire, CompletableFuture<Answer>> ask) {
        if (key.isReserved()) {
            throw Grants.reserved(key);
        }
        grants.requireOpen();
        AnchorLease anchor = grants.ownAnchor(options);
        if (anchor != null && !anchor.isHeld()) {
            return CompletableFuture.failedFuture(new LeaseLostException(anchor.key(), anchor.lostReason()));
        }
        Request.Acquire request = new Request.Acquire(
                Token.of(requests.runtime().randomId()),
                options.holder().orElse(self),
                anchor == null ? options.term() : anchor.term(),
                AttributePatch.NONE.putAll(options.attributes()),
                anchor == null ? null : anchor.ref());
        HeldLease.Terms terms = new HeldLease.Terms(options.isAutoRenew(), anchor);
        return Futures.claim(
                ask.apply(request),
                answer -> result(key, answer, request, terms),
                unwanted -> unwanted.lease().ifPresent(Lease::releaseAsync));
    }

    private AcquireResult result(Key key, Answer answer, Request.Acquire request, HeldLease.Terms terms) {
        if (answer instanceof Answer.Applied applied) {
            return new AcquireResult.Granted(grants.granted(applied, request, terms));
        }
        Decision.Refusal refusal = ((Answer.Refused) answer).refusal();
        if (refusal instanceof Decision.Finished finished) {
            return new AcquireResult.Done(key, finished.doneAt());
        }
        Decision.Held held = (Decision.Held) refusal;
        return new AcquireResult.Held(key, held.holder(), held.fence(), held.shownRemaining());
    }

    @Override
    public CompletionStage<Anchor> anchor(String holder, Duration term) {
        grants.requireOpen();
        requests.abilities().require(Power.ANCHORS, null);
        Holder name = Holder.of(holder);
        Key key = Key.ofAnchor(name);
        Request.Acquire request = new Request.Acquire(
                Token.of(requests.runtime().randomId()), name, Term.of(term), AttributePatch.NONE, null);
        // If the one before has just died, its term and the margin must pass; if it lives, waiting longer is in vain.
        Duration patience = requests.patience(request.term()).plus(term);
        long deadlineNanos = requests.nanos() + patience.toNanos();
        return Futures.claim(
                requests.await(key, request, deadlineNanos),
                answer -> {
                    if (answer instanceof Answer.Applied applied) {
                        return grants.anchored(applied, request);
                    }
                    throw new NotGrantedException(result(key, answer, request, new HeldLease.Terms(true, null)));
                },
                Lease::releaseAsync);
    }

    @Override
    public CompletionStage<Duration> renew(Key key, Token token, AttributePatch patch) {
        return renew(key, new Request.Renew(token, null, patch)).thenApply(RenewResult::remaining);
    }

    @Override
    public CompletionStage<RenewResult> renewal(Key key, Token token, AttributePatch patch) {
        return renew(key, new Request.Renew(token, null, patch, grants.nextSuccessor()));
    }

    @Override
    public CompletionStage<RenewResult> renewal(Key key, Token token, RenewOptions options) {
        return renew(
                key,
                new Request.Renew(
                        token,
                        options.term().orElse(null),
                        AttributePatch.NONE,
                        grants.nextSuccessor(),
                        options.holder().orElse(null)));
    }

    private CompletionStage<RenewResult> renew(Key key, Request.Renew request) {
        grants.requireOpen();
        return requests.submit(key, request).thenApply(answer -> {
            Answer.Applied applied = (Answer.Applied) unlessLost(key, answer);
            Grant grant = requireNonNull(requireNonNull(applied.entry()).grant());
            if (grant.anchor() != null) {
                // It lives by its anchor's renewals, and this was not one.
                return new RenewResult(grant.token(), Duration.ZERO);
            }
            Tenure tenure =
                    requests.belief().tenure(grant.term(), applied.firstSent(), applied.lastSent(), applied.answered());
            return new RenewResult(grant.token(), requests.belief().remaining(tenure, requests.moment()));
        });
    }

    @Override
    public CompletionStage<Boolean> release(Key key, Token token) {
        grants.requireOpen();
        return requests.release(key, token).thenApply(answer -> !(answer instanceof Answer.Refused));
    }

    @Override
    public CompletionStage<Void> done(Key key, Token token, AttributePatch patch) {
        grants.requireOpen();
        Grants.requireMayBeDone(key);
        return requests.submit(key, new Request.Done(token, patch)).thenAccept(answer -> unlessLost(key, answer));
    }

    @Override
    public CompletionStage<Void> update(Key key, Token token, AttributePatch patch) {
        grants.requireOpen();
        return requests.submit(key, new Request.Update(token, patch)).thenAccept(answer -> unlessLost(key, answer));
    }

    private static Answer unlessLost(Key key, Answer answer) {
        if (answer instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Lost lost) {
            throw new LeaseLostException(key, lost.reason());
        }
        return answer;
    }

    @Override
    public CompletionStage<EditResult> reopen(Key key) {
        grants.requireOpen();
        return edited(requests.submit(key, new Request.Reopen()));
    }

    @Override
    public CompletionStage<EditResult> delete(Key key, @Nullable Token token) {
        grants.requireOpen();
        return edited(requests.submit(key, new Request.Delete(token)));
    }

    @Override
    public CompletionStage<EditResult> evict(Key key, String reason) {
        if (reason.isBlank()) {
            throw Check.bad("reason", reason, "why the lease is taken away, for those who will ask");
        }
        grants.requireOpen();
        return edited(requests.evict(key, reason)).thenApply(result -> {
            if (result instanceof EditResult.Changed) {
                log.warn("{} was evicted by force: {}", key, Check.printable(reason));
                requests.listener().onEvicted(key, reason);
            }
            return result;
        });
    }

    private static CompletionStage<EditResult> edited(CompletableFuture<Answer> asked) {
        return asked.thenApply(answer -> {
            if (answer instanceof Answer.Applied) {
                return new EditResult.Changed();
            }
            if (answer instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Held held) {
                return new EditResult.Held(held.holder(), held.fence(), held.shownRemaining());
            }
            return new EditResult.Unchanged();
        });
    }

    @Override
    public CompletionStage<Optional<LeaseStatus>> get(Key key) {
        grants.requireOpen();
        requests.abilities().require(key);
        return lookup.get(key);
    }

    @Override
    public CompletionStage<Optional<LeaseStatus>> getWithToken(Key key, @Nullable Anchor through) {
        grants.requireOpen();
        requests.abilities().require(key);
        return lookup.getWithToken(key, through == null ? null : new Relay.AnchorProof(through.key(), through.token()));
    }

    @Override
    public CompletionStage<StatusPage> list(LeaseFilter filter, @Nullable String cursor, int limit) {
        grants.requireOpen();
        return lookup.page(filter, cursor, limit);
    }

    @Override
    public CompletionStage<Long> cleanUp(CleanUpOptions options) {
        grants.requireOpen();
        requests.abilities().require(Power.CLEAN_UP, null);
        return lookup.cleanUp(options);
    }

    Grants grants() {
        return grants;
    }

    /** Ends every lease; done when all of them are answered for. */
    CompletableFuture<Void> releaseAll() {
        return grants.releaseAll();
    }
}
