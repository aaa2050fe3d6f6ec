package dev.holdfast.internal.client;

import static java.util.Objects.requireNonNull;

import dev.holdfast.LeaseFilter;
import dev.holdfast.Relay;
import dev.holdfast.internal.Check;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.Engine;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.model.AnchorRef;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.model.LeaseLostException;
import dev.holdfast.model.Term;
import dev.holdfast.model.Token;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@link Relay} as requests to an engine. */
final class LocalRelay implements Relay {
    private final Engine engine;
    private final Grants grants;
    private final Listing listing;
    private final AnchorProofs proofs;

    LocalRelay(Engine engine, Grants grants, Listing listing) {
        this.engine = engine;
        this.grants = grants;
        this.listing = listing;
        this.proofs = new AnchorProofs(engine, listing);
    }

    @Override
    public CompletionStage<Outcome> grant(Key key, Ask ask, Duration wait) {
        long waitNanos = Grants.waitNanos(wait);
        grants.requireOpen();
        if (key.isReserved() && !key.isAnchorOf(ask.holder())) {
            throw Grants.reserved(key);
        }
        if (ask.token().equals(Token.HIDDEN)) {
            throw Check.bad("token", ask.token(), "one that was drawn, not the one that stands for hidden ones");
        }
        if (key.isAnchor() && ask.under() != null) {
            throw Check.bad("under", ask.under().key(), "none, as an anchor cannot itself be anchored");
        }
        if (ask.under() == null) {
            return grant(key, request(ask, ask.term(), null), waitNanos);
        }
        CompletableFuture<AnchorProofs.Proven> proven = proofs.prove(ask.under());
        return Futures.chain(proven, anchor -> grant(key, request(ask, anchor.term(), anchor.ref()), waitNanos));
    }

    private static Request.Acquire request(Ask ask, Term term, @Nullable AnchorRef anchor) {
        return new Request.Acquire(ask.token(), ask.holder(), term, ask.attributes(), anchor, ask.onlyIfNew());
    }

    private CompletableFuture<Outcome> grant(Key key, Request.Acquire request, long waitNanos) {
        CompletableFuture<Answer> asked =
                waitNanos == 0 ? engine.tryOnce(key, request) : engine.await(key, request, engine.nanos() + waitNanos);
        return Futures.claim(asked, answer -> outcome(key, answer), unwanted -> {
            if (unwanted instanceof Granted granted) {
                giveBack(granted);
            }
        });
    }

    private Outcome outcome(Key key, Answer answer) {
        if (answer instanceof Answer.Applied applied) {
            Entry entry = requireNonNull(applied.entry());
            engine.listener().onGranted(entry.key(), entry.fence());
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
    public CompletionStage<Void> giveBack(Granted untold) {
        return untold.found() ? CompletableFuture.completedFuture(null) : engine.giveBack(untold.entry());
    }

    @Override
    public CompletionStage<AnchorRef> prove(AnchorProof proof) {
        return proofs.prove(proof).thenApply(AnchorProofs.Proven::ref);
    }

    @Override
    public CompletionStage<Entry> renew(Key key, Token token, @Nullable Term term, AttributePatch patch) {
        Duration left = engine.left(key, token);
        return written(key, new Request.Renew(token, term, patch)).thenApply(entry -> {
            if (left != null) {
                engine.listener().onRenewed(key, left.toNanos());
            }
            return entry;
        });
    }

    @Override
    public CompletionStage<Entry> update(Key key, Token token, AttributePatch patch) {
        return written(key, new Request.Update(token, patch));
    }

    @Override
    public CompletionStage<Entry> done(Key key, Token token, AttributePatch patch) {
        Grants.requireMayBeDone(key);
        return written(key, new Request.Done(token, patch));
    }

    @Override
    public CompletionStage<ListedPage> list(LeaseFilter filter, @Nullable String cursor, int limit) {
        grants.requireOpen();
        return listing.listed(filter, cursor, limit);
    }

    @Override
    public CompletionStage<Boolean> finish(Key key, Token token, AttributePatch patch) {
        Grants.requireMayBeDone(key);
        return unlessLost(key, new Request.Done(token, patch)).thenApply(answer -> {
            if (answer.mayHaveHadEffect()) {
                throw StoreException.unknown("the key is done, by this call or by an earlier one", null);
            }
            return answer instanceof Answer.Applied;
        });
    }

    private CompletionStage<Entry> written(Key key, Request request) {
        return unlessLost(key, request)
                .thenApply(answer -> requireNonNull(
                        answer instanceof Answer.Applied applied
                                ? applied.entry()
                                : ((Answer.Unneeded) answer).entry()));
    }

    private CompletionStage<Answer> unlessLost(Key key, Request request) {
        grants.requireOpen();
        return engine.submit(key, request).thenApply(answer -> {
            if (answer instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Lost lost) {
                engine.listener().onLost(key, lost.reason());
                throw new LeaseLostException(key, lost.reason());
            }
            return answer;
        });
    }
}
