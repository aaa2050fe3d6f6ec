package dev.holdfast.micrometer;

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
import dev.holdfast.LeaseStatus;
import dev.holdfast.RenewOptions;
import dev.holdfast.RenewResult;
import dev.holdfast.Token;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.ServiceBacked;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The asynchronous form of {@link ObservedLeases}. */
final class ObservedAsyncLeases implements AsyncLeases, ServiceBacked {
    private final AsyncLeases leases;
    private final ObservationRegistry registry;
    private final AcquireConvention convention;

    ObservedAsyncLeases(AsyncLeases leases, ObservationRegistry registry, AcquireConvention convention) {
        this.leases = leases;
        this.registry = registry;
        this.convention = convention;
    }

    AcquireObservation start(Key key) {
        return AcquireObservation.start(key, registry, convention);
    }

    /**
     * The observation ends before the caller's own continuations run: they are no part of the acquire. So the caller gets a
     * future of its own. Cancelling that cancels the request, and a grant that comes nevertheless is released.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // Results and errors are passed on to the caller's future.
    private <T> CompletionStage<T> observed(
            Key key, Supplier<CompletionStage<T>> call, Function<T, AcquireResult> result) {
        AcquireObservation observation = start(key);
        CompletableFuture<T> request;
        try {
            request = observation.inScope(call::get).toCompletableFuture();
        } catch (Throwable e) {
            observation.failed(e);
            throw e;
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        request.whenComplete((value, error) -> {
            if (error != null) {
                observation.failed(error);
                answer.completeExceptionally(error);
            } else {
                deliver(observation, answer, value, result.apply(value));
            }
        });
        answer.whenComplete((value, error) -> {
            if (answer.isCancelled()) {
                request.cancel(false);
            }
        });
        return answer;
    }

    private static <T> void deliver(
            AcquireObservation observation, CompletableFuture<T> answer, T value, AcquireResult result) {
        observation.answered(result);
        if (!answer.complete(value)) {
            result.granted().ifPresent(Lease::releaseAsync);
        }
    }

    @Override
    public CompletionStage<AcquireResult> tryAcquire(Key key, AcquireOptions options) {
        return observed(key, () -> leases.tryAcquire(key, options), Function.identity());
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Key key, AcquireOptions options, Duration wait) {
        return observed(key, () -> leases.acquire(key, options, wait), Function.identity());
    }

    @Override
    public CompletionStage<Anchor> anchor(String holder, Duration term) {
        Key key = Key.ofAnchor(Holder.of(holder));
        return observed(key, () -> leases.anchor(holder, term), AcquireResult.Granted::new);
    }

    @Override
    public CompletionStage<RenewResult> renew(Key key, Token token, RenewOptions options) {
        return leases.renew(key, token, options);
    }

    @Override
    public CompletionStage<Boolean> release(Key key, Token token) {
        return leases.release(key, token);
    }

    @Override
    public CompletionStage<Boolean> releaseTo(Key key, Token token, String next) {
        return leases.releaseTo(key, token, next);
    }

    @Override
    public CompletionStage<Void> done(Key key, Token token, AttributePatch patch) {
        return leases.done(key, token, patch);
    }

    @Override
    public CompletionStage<Void> update(Key key, Token token, AttributePatch patch) {
        return leases.update(key, token, patch);
    }

    @Override
    public CompletionStage<EditResult> reopen(Key key) {
        return leases.reopen(key);
    }

    @Override
    public CompletionStage<EditResult> delete(Key key, @Nullable Token token) {
        return leases.delete(key, token);
    }

    @Override
    public CompletionStage<EditResult> evict(Key key, String reason) {
        return leases.evict(key, reason);
    }

    @Override
    public CompletionStage<EditResult> evict(Key key, String reason, Holder actor) {
        return leases.evict(key, reason, actor);
    }

    @Override
    public CompletionStage<Optional<LeaseStatus>> get(Key key) {
        return leases.get(key);
    }

    @Override
    public CompletionStage<LeaseExplanation> explain(Key key) {
        return leases.explain(key);
    }

    @Override
    public CompletionStage<StatusPage> list(LeaseFilter filter, @Nullable String cursor, int limit) {
        return leases.list(filter, cursor, limit);
    }

    @Override
    public CompletionStage<Long> cleanUp(CleanUpOptions options) {
        return leases.cleanUp(options);
    }

    /** For fleets, elections and the like, which make further requests of their own. */
    @Override
    public LeaseService service() {
        return LeaseService.of(leases);
    }
}
