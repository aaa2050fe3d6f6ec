package dev.holdfast.embedded;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.AsyncLeases;
import dev.holdfast.AttributePatch;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.EditResult;
import dev.holdfast.Holder;
import dev.holdfast.HoldfastException;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.RenewOptions;
import dev.holdfast.RenewResult;
import dev.holdfast.Token;
import dev.holdfast.environment.CallerThreadEnvironment;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.BlockingCalls;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.support.PagedStatuses;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A client of a {@link LeaseService}: the blocking forms of its calls, and an orderly close. */
public abstract class ServiceLeases implements Leases {
    private static final Logger log = LoggerFactory.getLogger(Leases.class);

    private final LeaseService service;
    private final boolean ownsEnvironment;
    private final AsyncLeaseClient async;
    /** For the blocking forms. */
    private final AsyncLeaseClient waiting;

    private final AtomicBoolean closed = new AtomicBoolean();

    /** An environment that the options do not name is closed with the client. */
    protected ServiceLeases(LeaseService service, LeasesOptions options) {
        this.service = service;
        this.ownsEnvironment = options.environment().isEmpty();
        this.async = new AsyncLeaseClient(service, options);
        this.waiting = async.forWaitingCaller();
    }

    /** The environment that the options name, or the default one. */
    public static HostEnvironment environment(LeasesOptions options) {
        return options.environment()
                .orElseGet(() -> options.isBackground() ? new SystemEnvironment() : new CallerThreadEnvironment());
    }

    @Override
    public final AsyncLeases async() {
        return async;
    }

    private <T> T await(Supplier<? extends CompletionStage<T>> call) {
        return BlockingCalls.uninterruptibly(service.environment(), call);
    }

    @Override
    public AcquireResult tryAcquire(Key key, AcquireOptions options) {
        return await(() -> waiting.tryAcquire(key, options));
    }

    @Override
    public AcquireResult acquire(Key key, AcquireOptions options, Duration wait) throws InterruptedException {
        return BlockingCalls.interruptibly(
                service.environment(),
                () -> waiting.acquire(key, options, wait),
                tooLate -> tooLate.granted().ifPresent(Lease::releaseAsync));
    }

    @Override
    public Anchor anchor(String holder, Duration term) {
        return await(() -> waiting.anchor(holder, term));
    }

    @Override
    public RenewResult renew(Key key, Token token, RenewOptions options) {
        return await(() -> waiting.renew(key, token, options));
    }

    @Override
    public boolean release(Key key, Token token) {
        return await(() -> waiting.release(key, token));
    }

    @Override
    public boolean releaseTo(Key key, Token token, String next) {
        return await(() -> waiting.releaseTo(key, token, next));
    }

    @Override
    public void done(Key key, Token token, AttributePatch patch) {
        await(() -> waiting.done(key, token, patch));
    }

    @Override
    public void update(Key key, Token token, AttributePatch patch) {
        await(() -> waiting.update(key, token, patch));
    }

    @Override
    public EditResult reopen(Key key) {
        return await(() -> waiting.reopen(key));
    }

    @Override
    public EditResult delete(Key key) {
        return await(() -> waiting.delete(key, null));
    }

    @Override
    public EditResult delete(Key key, Token token) {
        return await(() -> waiting.delete(key, token));
    }

    @Override
    public EditResult evict(Key key, String reason) {
        return await(() -> waiting.evict(key, reason));
    }

    @Override
    public EditResult evict(Key key, String reason, Holder actor) {
        return await(() -> waiting.evict(key, reason, actor));
    }

    @Override
    public Optional<LeaseStatus> get(Key key) {
        return await(() -> waiting.get(key));
    }

    @Override
    public LeaseExplanation explain(Key key) {
        return await(() -> waiting.explain(key));
    }

    @Override
    public Stream<LeaseStatus> list(LeaseFilter filter) {
        return PagedStatuses.stream(cursor -> await(() -> waiting.list(filter, cursor, PagedStatuses.SIZE)));
    }

    @Override
    public long cleanUp(CleanUpOptions options) {
        return await(() -> waiting.cleanUp(options));
    }

    @Override
    public final void close() {
        CallbackThread.refuseBlocking();
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            await(waiting::releaseAll);
        } catch (HoldfastException e) {
            log.warn("not all leases were released; they end with their terms", e);
        } finally {
            endAndClose();
        }
    }

    private void endAndClose() {
        try {
            end();
        } finally {
            if (ownsEnvironment) {
                service.environment().close();
            }
        }
    }

    /** Closes the resources behind the requests. Called when all leases have ended. */
    protected abstract void end();
}
