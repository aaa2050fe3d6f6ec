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
import dev.holdfast.internal.Check;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.Engine;
import dev.holdfast.internal.engine.Survey;
import dev.holdfast.internal.rules.Belief.Tenure;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.model.LeaseLostException;
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

/** The API as requests to an engine: checks at the edge, then words the answers. */
final class LocalAsyncLeases implements AsyncLeases {
    private static final Logger log = LoggerFactory.getLogger(AsyncLeases.class);

    private final Engine engine;
    private final Grants grants;
    private final Listing listing;
    private final Survey survey;
    private final LocalRelay relay;
    private final Holder self;
    private @Nullable Caretaker caretaker;

    LocalAsyncLeases(Engine engine, LeasesOptions options) {
        this.engine = engine;
        this.self = options.holder();
        this.grants = new Grants(engine, options.isBackground());
        this.survey = new Survey(engine, options.operationTimeout());
        this.listing = new Listing(survey);
        this.relay = new LocalRelay(engine, grants, listing);
    }

    @Override
    public CompletionStage<AcquireResult> tryAcquire(Key key, AcquireOptions options) {
        return acquire(key, options, request -> engine.tryOnce(key, request));
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Key key, AcquireOptions options, Duration wait) {
        long waitNanos = Grants.waitNanos(wait);
        return acquire(key, options, request -> engine.await(key, request, engine.nanos() + waitNanos));
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
                Token.of(engine.runtime().randomId()),
                options.holder().orElse(self),
                anchor == null ? options.term() : anchor.term(),
                AttributePatch.NONE.putAll(options.attributes()),
                anchor == null ? null : anchor.ref());
        HeldLease.Terms terms = new HeldLease.Terms(options.isAutoRenew(), anchor);
        return Futures.claim(
                ask.apply(request),
                answer -> result(answer, request, terms),
                unwanted -> unwanted.lease().ifPresent(Lease::releaseAsync));
    }

    private AcquireResult result(Answer answer, Request.Acquire request, HeldLease.Terms terms) {
        if (answer instanceof Answer.Applied applied) {
            return new AcquireResult.Granted(grants.granted(applied, request, terms));
        }
        Decision.Refusal refusal = ((Answer.Refused) answer).refusal();
        if (refusal instanceof Decision.Finished finished) {
            Entry entry = finished.entry();
            return new AcquireResult.Done(entry.key(), requireNonNull(entry.doneAt()));
        }
        Decision.Held held = (Decision.Held) refusal;
        Entry entry = held.entry();
        Holder holder = requireNonNull(entry.grant()).holder();
        return new AcquireResult.Held(entry.key(), holder, entry.fence(), held.remaining());
    }

    @Override
    public CompletionStage<Anchor> anchor(String holder, Duration term) {
        grants.requireOpen();
        Holder name = Holder.of(holder);
        Key key = Key.ofAnchor(name);
        Request.Acquire request = new Request.Acquire(
                Token.of(engine.runtime().randomId()), name, Term.of(term), AttributePatch.NONE, null);
        // If the one before has just died, its term and the margin must pass; if it lives, waiting longer is in vain.
        Duration patience = engine.book().silence().patience(request.term()).plus(term);
        CompletableFuture<Answer> asked = engine.await(key, request, engine.nanos() + patience.toNanos());
        return Futures.claim(
                asked,
                answer -> {
                    if (answer instanceof Answer.Applied applied) {
                        return grants.anchored(applied, request);
                    }
                    throw new NotGrantedException(result(answer, request, new HeldLease.Terms(true, null)));
                },
                Lease::releaseAsync);
    }

    @Override
    public CompletionStage<Duration> renew(Key key, Token token, AttributePatch patch) {
        grants.requireOpen();
        return engine.submit(key, new Request.Renew(token, null, patch)).thenApply(answer -> {
            Answer.Applied applied = (Answer.Applied) unlessLost(key, answer);
            Grant grant = requireNonNull(requireNonNull(applied.entry()).grant());
            if (grant.anchor() != null) {
                return Duration.ZERO; // It lives by its anchor's renewals, and this was not one.
            }
            Tenure tenure = engine.book()
                    .belief()
                    .tenure(grant.term(), applied.firstSent(), applied.lastSent(), applied.answered());
            return engine.book().belief().remaining(tenure, engine.moment());
        });
    }

    @Override
    public CompletionStage<Boolean> release(Key key, Token token) {
        grants.requireOpen();
        return engine.release(key, token).thenApply(answer -> !(answer instanceof Answer.Refused));
    }

    @Override
    public CompletionStage<Void> done(Key key, Token token, AttributePatch patch) {
        grants.requireOpen();
        Grants.requireMayBeDone(key);
        return engine.submit(key, new Request.Done(token, patch)).thenAccept(answer -> unlessLost(key, answer));
    }

    @Override
    public CompletionStage<Void> update(Key key, Token token, AttributePatch patch) {
        grants.requireOpen();
        return engine.submit(key, new Request.Update(token, patch)).thenAccept(answer -> unlessLost(key, answer));
    }

    private static Answer unlessLost(Key key, Answer answer) {
        if (answer instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Lost lost) {
            throw new LeaseLostException(key, lost.reason());
        }
        return answer;
    }

    @Override
    public CompletionStage<EditResult> reopen(Key key) {
        return edit(key, new Request.Reopen());
    }

    @Override
    public CompletionStage<EditResult> delete(Key key, @Nullable Token token) {
        return edit(key, new Request.Delete(token));
    }

    @Override
    public CompletionStage<EditResult> evict(Key key, String reason) {
        if (reason.isBlank()) {
            throw Check.bad("reason", reason, "why the lease is taken away, for those who will ask");
        }
        return edit(key, new Request.EvictByForce()).thenApply(result -> {
            if (result instanceof EditResult.Changed) {
                log.warn("{} was evicted by force: {}", key, Check.printable(reason));
                engine.listener().onEvicted(key, reason);
            }
            return result;
        });
    }

    private CompletionStage<EditResult> edit(Key key, Request request) {
        grants.requireOpen();
        return engine.submit(key, request).thenApply(answer -> {
            if (answer instanceof Answer.Applied) {
                return new EditResult.Changed();
            }
            if (answer instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Held held) {
                Holder holder = requireNonNull(held.entry().grant()).holder();
                return new EditResult.Held(holder, held.entry().fence(), held.remaining());
            }
            return new EditResult.Unchanged();
        });
    }

    @Override
    public CompletionStage<Optional<LeaseStatus>> get(Key key) {
        grants.requireOpen();
        return listing.get(key);
    }

    @Override
    public CompletionStage<StatusPage> list(LeaseFilter filter, @Nullable String cursor, int limit) {
        grants.requireOpen();
        return listing.page(filter, cursor, limit);
    }

    @Override
    public CompletionStage<Long> cleanUp(CleanUpOptions options) {
        grants.requireOpen();
        return new Sweep(engine, survey, options).run();
    }

    /** From now on, cleans up now and then. */
    void cleanUpInBackground(CleanUpOptions options) {
        caretaker = new Caretaker(engine, self, () -> new Sweep(engine, survey, options).run());
    }

    LocalRelay relay() {
        return relay;
    }

    CompletableFuture<Void> releaseAll() {
        return grants.releaseAll();
    }

    void close() {
        if (caretaker != null) {
            caretaker.stop();
        }
        engine.close();
    }
}
