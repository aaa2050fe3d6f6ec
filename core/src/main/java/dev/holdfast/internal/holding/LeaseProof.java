package dev.holdfast.internal.holding;

import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.StoreFeature;
import dev.holdfast.Token;
import dev.holdfast.internal.pipeline.Answer;
import dev.holdfast.internal.pipeline.LeaseRequests;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.LeaseRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a lease is proved by: its token and, in layouts where that changes on renewal, the one that a renewal may have
 * put in its place without our hearing of it. That one is drawn here and tried until it is known to be in place, so that
 * a lost answer does not cost the lease.
 *
 * <p>Thread-safe; asks without its lock.
 */
final class LeaseProof {
    private final LeaseRequests leaseRequests;
    private final Key key;
    private final boolean changes;
    private Token token;
    private @Nullable Token successor;

    LeaseProof(LeaseRequests leaseRequests, Key key, Token token) {
        this.leaseRequests = leaseRequests;
        this.key = key;
        this.token = token;
        this.changes = !leaseRequests.features().has(StoreFeature.LASTING_TOKEN);
    }

    synchronized Token token() {
        return token;
    }

    /** Whether the token may be another than {@link #token} says. */
    synchronized boolean isInDoubt() {
        return successor != null;
    }

    synchronized LeaseRequest.Renew renewal() {
        if (changes && successor == null) {
            successor = Token.of(leaseRequests.environment().randomId());
        }
        return new LeaseRequest.Renew(token, null, AttributePatch.NONE, successor);
    }

    synchronized void renewed(Token inPlace) {
        token = inPlace;
        if (inPlace.equals(successor)) {
            successor = null;
        }
    }

    /** Sends what {@code request} makes of the token. */
    CompletableFuture<Answer> submit(Function<Token, LeaseRequest> request) {
        return ask(it -> leaseRequests.submit(key, request.apply(it)));
    }

    /** Asks with the token; if it is refused while the token may have changed, with that one. */
    CompletableFuture<Answer> ask(Function<Token, CompletableFuture<Answer>> question) {
        Token first = token();
        CompletableFuture<Answer> answer = question.apply(first);
        return changes ? answer.thenCompose(it -> insisted(it, first, question)) : answer;
    }

    private CompletableFuture<Answer> insisted(
            Answer answer, Token first, Function<Token, CompletableFuture<Answer>> question) {
        Token other = other(first);
        boolean lost = answer instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Lost;
        return lost && other != null ? question.apply(other) : CompletableFuture.completedFuture(answer);
    }

    private synchronized @Nullable Token other(Token tried) {
        return successor != null ? successor : token.equals(tried) ? null : token;
    }
}
