package dev.holdfast.internal.client;

import static java.util.Objects.requireNonNull;

import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Relay;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.internal.holding.HeldLeases;
import dev.holdfast.internal.pipeline.RequestPipeline;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Term;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@link Relay} as requests to the pipeline. */
final class LocalRelay implements Relay {
    private final RequestPipeline requestPipeline;
    private final HeldLeases heldLeases;
    private final StatusListing statusListing;
    private final AnchorProofs proofs;

    LocalRelay(RequestPipeline requestPipeline, HeldLeases heldLeases, StatusListing statusListing) {
        this.requestPipeline = requestPipeline;
        this.heldLeases = heldLeases;
        this.statusListing = statusListing;
        this.proofs = new AnchorProofs(requestPipeline, statusListing);
    }

    @Override
    public CompletionStage<Outcome> grant(Key key, Ask ask, Duration wait) {
        long waitNanos = HeldLeases.waitNanos(wait);
        heldLeases.requireOpen();
        if (key.isReserved() && !key.isAnchorOf(ask.holder())) {
            throw HeldLeases.reserved(key);
        }
        if (ask.token().equals(Token.HIDDEN)) {
            throw ArgumentCheck.bad("token", ask.token(), "a random token, not the placeholder for hidden tokens");
        }
        if (key.isAnchor() && ask.under() != null) {
            throw ArgumentCheck.bad("under", ask.under().key(), "none, as an anchor cannot itself be anchored");
        }
        if (ask.under() == null) {
            return grant(key, request(ask, ask.term(), null), waitNanos);
        }
        CompletableFuture<AnchorProofs.Proven> proven = proofs.prove(ask.under());
        return Futures.chain(proven, anchor -> grant(key, request(ask, anchor.term(), anchor.ref()), waitNanos));
    }

    private static LeaseRequest.Acquire request(Ask ask, Term term, @Nullable AnchorRef anchor) {
        return new LeaseRequest.Acquire(ask.token(), ask.holder(), term, ask.attributes(), anchor, ask.onlyIfNew());
    }

    private CompletableFuture<Outcome> grant(Key key, LeaseRequest.Acquire request, long waitNanos) {
        CompletableFuture<Answer> submitted = waitNanos == 0
                ? requestPipeline.tryOnce(key, request)
                : requestPipeline.await(key, request, requestPipeline.nanos() + waitNanos);
        return Futures.claim(submitted, answer -> outcome(key, answer), unwanted -> {
            if (unwanted instanceof Granted granted) {
                giveBack(granted);
            }
        });
    }

    private Outcome outcome(Key key, Answer answer) {
        if (answer instanceof Answer.Applied applied) {
            Entry entry = requireNonNull(applied.entry());
            requestPipeline.listener().onGranted(entry.key(), entry.fence());
            return new Granted(entry, applied.found());
        }
        Decision.Refusal refusal = ((Answer.Refused) answer).refusal();
        if (refusal instanceof Decision.Finished finished) {
            return new Done(key, finished.doneAt());
        }
        Decision.Held held = (Decision.Held) refusal;
        return new Held(key, held.holder(), held.fence(), held.shownRemaining());
    }

    @Override
    public CompletionStage<Void> giveBack(Granted undelivered) {
        return undelivered.found()
                ? CompletableFuture.completedFuture(null)
                : requestPipeline.releaseUndelivered(undelivered.entry());
    }

    @Override
    public CompletionStage<AnchorRef> prove(AnchorProof proof) {
        return proofs.prove(proof).thenApply(AnchorProofs.Proven::ref);
    }

    @Override
    public CompletionStage<Entry> renew(Key key, Token token, @Nullable Term term, AttributePatch patch) {
        Duration left = requestPipeline.left(key, token);
        return written(key, new LeaseRequest.Renew(token, term, patch)).thenApply(entry -> {
            if (left != null) {
                requestPipeline.listener().onRenewed(key, left.toNanos());
            }
            return entry;
        });
    }

    @Override
    public CompletionStage<Entry> update(Key key, Token token, AttributePatch patch) {
        return written(key, new LeaseRequest.Update(token, patch));
    }

    @Override
    public CompletionStage<Entry> done(Key key, Token token, AttributePatch patch) {
        HeldLeases.requireMayBeDone(key);
        return written(key, new LeaseRequest.Done(token, patch));
    }

    @Override
    public CompletionStage<ListedPage> list(LeaseFilter filter, @Nullable String cursor, int limit) {
        heldLeases.requireOpen();
        return statusListing.listed(filter, cursor, limit);
    }

    @Override
    public CompletionStage<Boolean> finish(Key key, Token token, AttributePatch patch) {
        HeldLeases.requireMayBeDone(key);
        return unlessLost(key, new LeaseRequest.Done(token, patch)).thenApply(answer -> {
            if (answer.mayHaveHadEffect()) {
                throw StoreException.unknown("the key is done, by this call or by an earlier one", null);
            }
            return answer instanceof Answer.Applied;
        });
    }

    private CompletionStage<Entry> written(Key key, LeaseRequest leaseRequest) {
        return unlessLost(key, leaseRequest)
                .thenApply(answer -> requireNonNull(
                        answer instanceof Answer.Applied applied
                                ? applied.entry()
                                : ((Answer.Unneeded) answer).entry()));
    }

    private CompletionStage<Answer> unlessLost(Key key, LeaseRequest leaseRequest) {
        heldLeases.requireOpen();
        return requestPipeline.submit(key, leaseRequest).thenApply(answer -> {
            if (answer instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Lost lost) {
                requestPipeline.listener().onLost(key, lost.reason());
                throw new LeaseLostException(key, lost.reason());
            }
            return answer;
        });
    }
}
