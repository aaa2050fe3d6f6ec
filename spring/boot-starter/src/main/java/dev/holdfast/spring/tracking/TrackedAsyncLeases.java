package dev.holdfast.spring.tracking;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.AsyncLeases;
import dev.holdfast.AttributePatch;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.EditResult;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.RenewOptions;
import dev.holdfast.RenewResult;
import dev.holdfast.Token;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.ServiceBacked;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The asynchronous form of {@link TrackedLeases}. It returns the stages of the client itself, so they can be cancelled. */
final class TrackedAsyncLeases implements AsyncLeases, ServiceBacked {
    private final AsyncLeases client;
    private final HeldLeaseRegistry registry;

    TrackedAsyncLeases(AsyncLeases client, HeldLeaseRegistry registry) {
        this.client = client;
        this.registry = registry;
    }

    @Override
    public LeaseService service() {
        return LeaseService.of(client);
    }

    @Override
    public CompletionStage<AcquireResult> tryAcquire(Key key, AcquireOptions options) {
        CompletionStage<AcquireResult> stage = client.tryAcquire(key, options);
        var unused = stage.whenComplete((result, error) -> registry.answered(result));
        return stage;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Key key, AcquireOptions options, Duration wait) {
        CompletionStage<AcquireResult> stage = client.acquire(key, options, wait);
        HeldLeaseRegistry.WaitingAcquire call = registry.began(key, wait);
        var unused = stage.whenComplete((result, error) -> {
            registry.ended(call);
            registry.answered(result);
        });
        return stage;
    }

    @Override
    public CompletionStage<Anchor> anchor(String holder, Duration term) {
        CompletionStage<Anchor> stage = client.anchor(holder, term);
        var unused = stage.thenAccept(registry::add);
        return stage;
    }

    @Override
    public CompletionStage<RenewResult> renew(Key key, Token token, RenewOptions options) {
        return client.renew(key, token, options);
    }

    @Override
    public CompletionStage<Boolean> release(Key key, Token token) {
        return client.release(key, token);
    }

    @Override
    public CompletionStage<Boolean> releaseTo(Key key, Token token, String next) {
        return client.releaseTo(key, token, next);
    }

    @Override
    public CompletionStage<Void> done(Key key, Token token, AttributePatch patch) {
        return client.done(key, token, patch);
    }

    @Override
    public CompletionStage<Void> update(Key key, Token token, AttributePatch patch) {
        return client.update(key, token, patch);
    }

    @Override
    public CompletionStage<EditResult> reopen(Key key) {
        return client.reopen(key);
    }

    @Override
    public CompletionStage<EditResult> delete(Key key, @Nullable Token token) {
        return client.delete(key, token);
    }

    @Override
    public CompletionStage<EditResult> evict(Key key, String reason) {
        return client.evict(key, reason);
    }

    @Override
    public CompletionStage<EditResult> evict(Key key, String reason, Holder actor) {
        return client.evict(key, reason, actor);
    }

    @Override
    public CompletionStage<Optional<LeaseStatus>> get(Key key) {
        return client.get(key);
    }

    @Override
    public CompletionStage<LeaseExplanation> explain(Key key) {
        return client.explain(key);
    }

    @Override
    public CompletionStage<StatusPage> list(LeaseFilter filter, @Nullable String cursor, int limit) {
        return client.list(filter, cursor, limit);
    }

    @Override
    public CompletionStage<Long> cleanUp(CleanUpOptions options) {
        return client.cleanUp(options);
    }
}
