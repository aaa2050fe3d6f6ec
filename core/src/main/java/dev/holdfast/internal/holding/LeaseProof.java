package dev.holdfast.internal.holding;

import dev.holdfast.AttributePatch;
import dev.holdfast.StoreFeature;
import dev.holdfast.Token;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The token that proves a lease. In layouts where a renewal changes the token, it also keeps the successor: a renewal
 * without an answer may have stored it. The successor is drawn here and used for every renewal until it is known to be
 * stored. So a lost answer does not cost the lease.
 *
 * <p>Thread-safe. Requests are sent without the lock.
 */
final class LeaseProof {
    private final LeaseService leaseRequests;
    private final boolean changes;
    private Token token;
    private @Nullable Token successor;

    LeaseProof(LeaseService leaseRequests, Token token) {
        this.leaseRequests = leaseRequests;
        this.token = token;
        this.changes = !leaseRequests.features().has(StoreFeature.LASTING_TOKEN);
    }

    synchronized Token token() {
        return token;
    }

    /** Whether the stored token may differ from {@link #token}. */
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

    /**
     * Sends a request with the token. If it is refused as lost while the token may have changed, sends it with the
     * other token.
     */
    CompletableFuture<Answer> send(Function<Token, CompletableFuture<Answer>> request) {
        Token first = token();
        CompletableFuture<Answer> answer = request.apply(first);
        return changes ? answer.thenCompose(it -> retriedWithOther(it, first, request)) : answer;
    }

    private CompletableFuture<Answer> retriedWithOther(
            Answer answer, Token first, Function<Token, CompletableFuture<Answer>> request) {
        Token other = other(first);
        boolean lost = answer instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Lost;
        return lost && other != null ? request.apply(other) : CompletableFuture.completedFuture(answer);
    }

    private synchronized @Nullable Token other(Token tried) {
        return successor != null ? successor : token.equals(tried) ? null : token;
    }
}
