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
import dev.holdfast.Leases;
import dev.holdfast.RenewOptions;
import dev.holdfast.RenewResult;
import dev.holdfast.Token;
import dev.holdfast.explanation.LeaseExplanation;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** A client that records its leases in a {@link HeldLeaseRegistry}. In all other respects it is the client behind it. */
public final class TrackedLeases implements Leases {
    private final String store;
    private final Leases client;
    private final HeldLeaseRegistry registry = new HeldLeaseRegistry();
    private final AsyncLeases async;

    TrackedLeases(String store, Leases client) {
        this.store = store;
        this.client = client;
        this.async = new TrackedAsyncLeases(client.async(), registry);
    }

    /** The name of the store, for display. */
    public String store() {
        return store;
    }

    public HeldLeaseRegistry registry() {
        return registry;
    }

    @Override
    public AsyncLeases async() {
        return async;
    }

    @Override
    public AcquireResult tryAcquire(Key key, AcquireOptions options) {
        AcquireResult result = client.tryAcquire(key, options);
        registry.answered(result);
        return result;
    }

    @Override
    public AcquireResult acquire(Key key, AcquireOptions options, Duration wait) throws InterruptedException {
        HeldLeaseRegistry.WaitingAcquire call = registry.began(key, wait);
        try {
            AcquireResult result = client.acquire(key, options, wait);
            registry.answered(result);
            return result;
        } finally {
            registry.ended(call);
        }
    }

    @Override
    public Anchor anchor(String holder, Duration term) {
        Anchor anchor = client.anchor(holder, term);
        registry.add(anchor);
        return anchor;
    }

    @Override
    public RenewResult renew(Key key, Token token, RenewOptions options) {
        return client.renew(key, token, options);
    }

    @Override
    public boolean release(Key key, Token token) {
        return client.release(key, token);
    }

    @Override
    public boolean releaseTo(Key key, Token token, String next) {
        return client.releaseTo(key, token, next);
    }

    @Override
    public void done(Key key, Token token, AttributePatch patch) {
        client.done(key, token, patch);
    }

    @Override
    public void update(Key key, Token token, AttributePatch patch) {
        client.update(key, token, patch);
    }

    @Override
    public EditResult reopen(Key key) {
        return client.reopen(key);
    }

    @Override
    public EditResult delete(Key key) {
        return client.delete(key);
    }

    @Override
    public EditResult delete(Key key, Token token) {
        return client.delete(key, token);
    }

    @Override
    public EditResult evict(Key key, String reason) {
        return client.evict(key, reason);
    }

    @Override
    public EditResult evict(Key key, String reason, Holder actor) {
        return client.evict(key, reason, actor);
    }

    @Override
    public Optional<LeaseStatus> get(Key key) {
        return client.get(key);
    }

    @Override
    public LeaseExplanation explain(Key key) {
        return client.explain(key);
    }

    @Override
    public Stream<LeaseStatus> list(LeaseFilter filter) {
        return client.list(filter);
    }

    @Override
    public long cleanUp(CleanUpOptions options) {
        return client.cleanUp(options);
    }

    @Override
    public void close() {
        client.close();
    }

    @Override
    public String toString() {
        return "Leases[" + store + "]";
    }
}
