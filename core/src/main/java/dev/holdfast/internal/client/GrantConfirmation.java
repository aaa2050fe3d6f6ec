package dev.holdfast.internal.client;

import static java.util.Objects.requireNonNull;

import dev.holdfast.internal.Futures;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.Requests;
import dev.holdfast.internal.rules.Belief.Tenure;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Key;
import dev.holdfast.model.Power;
import dev.holdfast.model.Term;
import dev.holdfast.model.Token;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreException.Effect;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One acquire, whose grant is not reported before it can be relied on. An answer may take longer than the term that it
 * grants. Such a grant is renewed by its token; if it is lost by then, the key is asked for again.
 *
 * <p>Thread-safe. Cancelling the future cancels the request under way; a grant that arrives after that is released.
 */
final class GrantConfirmation {
    /** A store that is slower than the term so many times in a row cannot hold a lease of that term. */
    private static final int ATTEMPTS = 3;

    private final Requests requests;
    private final Key key;
    private final Request.Acquire request;
    private final Supplier<CompletableFuture<Answer>> ask;
    private final CompletableFuture<Answer> result = new CompletableFuture<>();
    private volatile @Nullable CompletableFuture<Answer> underWay;
    private volatile Token token;
    /** How many answers came too late. */
    private final AtomicInteger late = new AtomicInteger();

    private GrantConfirmation(
            Requests requests, Key key, Request.Acquire request, Supplier<CompletableFuture<Answer>> ask) {
        this.requests = requests;
        this.key = key;
        this.request = request;
        this.ask = ask;
        this.token = request.token();
    }

    /** @param ask sends the request; it may be called again */
    static CompletableFuture<Answer> of(
            Requests requests, Key key, Request.Acquire request, Supplier<CompletableFuture<Answer>> ask) {
        GrantConfirmation confirmation = new GrantConfirmation(requests, key, request, ask);
        confirmation.ask();
        Futures.whenDone(confirmation.result, (answer, error) -> confirmation.over());
        return confirmation.result;
    }

    private void ask() {
        token = request.token();
        follow(ask.get(), answer -> {
            if (answer instanceof Answer.Applied applied) {
                granted(applied);
            } else {
                result.complete(answer);
            }
        });
    }

    private void follow(CompletableFuture<Answer> asked, Consumer<Answer> next) {
        underWay = asked;
        if (result.isDone()) {
            asked.cancel(false);
        }
        Futures.whenDone(asked, (answer, error) -> {
            if (answer != null) {
                proceed(answer, next);
            } else if (late.get() == 0) {
                result.completeExceptionally(Futures.cause(requireNonNull(error)));
            } else {
                giveUp(error);
            }
        });
    }

    private void proceed(Answer answer, Consumer<Answer> next) {
        try {
            next.accept(answer);
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    private void granted(Answer.Applied applied) {
        if (isCurrent(applied)) {
            if (!result.complete(applied)) {
                giveBack();
            }
        } else if (late.incrementAndGet() >= ATTEMPTS) {
            giveUp(null);
        } else {
            renew();
        }
    }

    /** A lease under an anchor counts the anchor's term, which is checked when the lease is built. */
    private boolean isCurrent(Answer.Applied applied) {
        if (request.anchor() != null) {
            return true;
        }
        Term term = Grants.countedTerm(request.term(), applied.entry());
        Tenure tenure = requests.belief().tenure(term, applied.firstSent(), applied.lastSent(), applied.answered());
        return !requests.belief().remaining(tenure, requests.moment()).isZero();
    }

    private void renew() {
        Token successor = requests.abilities().has(Power.LASTING_TOKEN)
                ? null
                : Token.of(requests.runtime().randomId());
        Request.Renew renewal = new Request.Renew(token, null, AttributePatch.NONE, successor);
        follow(requests.submit(key, renewal), answer -> {
            if (answer instanceof Answer.Applied applied) {
                token = successor == null ? token : successor;
                granted(applied);
            } else {
                ask(); // It ran out, and was taken or freed, before its answer arrived.
            }
        });
    }

    private void giveBack() {
        Futures.whenDone(requests.release(key, token), (answer, error) -> {});
    }

    private void giveUp(@Nullable Throwable cause) {
        Futures.whenDone(requests.release(key, token), (answer, error) -> {
            Effect effect = error == null ? Effect.NOT_APPLIED : Effect.UNKNOWN;
            result.completeExceptionally(StoreException.notApplied("granted too late", cause)
                    .about(key, effect, "the store granted the key, but its answers came too late to rely on them"));
        });
    }

    /** A caller that leaves while its grant is being renewed has a grant to give back; before that, the request does. */
    private void over() {
        CompletableFuture<Answer> asked = underWay;
        if (result.isCancelled() && asked != null) {
            asked.cancel(false);
            if (late.get() > 0) {
                giveBack();
            }
        }
    }
}
