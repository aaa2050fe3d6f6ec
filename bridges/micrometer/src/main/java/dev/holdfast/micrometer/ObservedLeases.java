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
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.RenewOptions;
import dev.holdfast.RenewResult;
import dev.holdfast.Token;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.micrometer.AcquireObservation.AcquireCall;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A client that makes one observation for each acquire, of a key or an anchor. It lasts from the call to the answer, including
 * the wait for another holder. Tracing libraries turn it into a span, and Micrometer into a timer. {@link AcquireConvention}
 * names its values.
 *
 * <pre>{@code
 * Leases leases = ObservedLeases.of(Holdfast.open(url), observationRegistry);
 * }</pre>
 *
 * <p>All else is passed on to the client that it wraps, and {@link #close} closes that. The leases are the client's own, so fleets,
 * elections and anchors work as without it. Imports need the client itself.
 */
public final class ObservedLeases implements Leases {
    private final Leases leases;
    private final ObservedAsyncLeases async;

    private ObservedLeases(Leases leases, ObservationRegistry registry, AcquireConvention convention) {
        this.leases = leases;
        this.async = new ObservedAsyncLeases(leases.async(), registry, convention);
    }

    public static Leases of(Leases leases, ObservationRegistry registry) {
        return of(leases, registry, AcquireConvention.defaults());
    }

    /** The same with other values. */
    public static Leases of(Leases leases, ObservationRegistry registry, AcquireConvention convention) {
        return new ObservedLeases(leases, registry, convention);
    }

    private <T, E extends Exception> T observed(Key key, AcquireCall<T, E> call, Function<T, AcquireResult> result)
            throws E {
        AcquireObservation observation = async.start(key);
        T answer;
        try {
            answer = observation.inScope(call);
        } catch (Throwable e) {
            observation.failed(e);
            throw e;
        }
        observation.answered(result.apply(answer));
        return answer;
    }

    @Override
    public AsyncLeases async() {
        return async;
    }

    @Override
    public AcquireResult tryAcquire(Key key, AcquireOptions options) {
        return observed(key, () -> leases.tryAcquire(key, options), Function.identity());
    }

    @Override
    public AcquireResult acquire(Key key, AcquireOptions options, Duration wait) throws InterruptedException {
        return observed(key, () -> leases.acquire(key, options, wait), Function.identity());
    }

    @Override
    public Anchor anchor(String holder, Duration term) {
        Key key = Key.ofAnchor(Holder.of(holder));
        return observed(key, () -> leases.anchor(holder, term), AcquireResult.Granted::new);
    }

    @Override
    public RenewResult renew(Key key, Token token, RenewOptions options) {
        return leases.renew(key, token, options);
    }

    @Override
    public boolean release(Key key, Token token) {
        return leases.release(key, token);
    }

    @Override
    public boolean releaseTo(Key key, Token token, String next) {
        return leases.releaseTo(key, token, next);
    }

    @Override
    public void done(Key key, Token token, AttributePatch patch) {
        leases.done(key, token, patch);
    }

    @Override
    public void update(Key key, Token token, AttributePatch patch) {
        leases.update(key, token, patch);
    }

    @Override
    public EditResult reopen(Key key) {
        return leases.reopen(key);
    }

    @Override
    public EditResult delete(Key key) {
        return leases.delete(key);
    }

    @Override
    public EditResult delete(Key key, Token token) {
        return leases.delete(key, token);
    }

    @Override
    public EditResult evict(Key key, String reason) {
        return leases.evict(key, reason);
    }

    @Override
    public EditResult evict(Key key, String reason, Holder actor) {
        return leases.evict(key, reason, actor);
    }

    @Override
    public Optional<LeaseStatus> get(Key key) {
        return leases.get(key);
    }

    @Override
    public LeaseExplanation explain(Key key) {
        return leases.explain(key);
    }

    @Override
    public Stream<LeaseStatus> list(LeaseFilter filter) {
        return leases.list(filter);
    }

    @Override
    public long cleanUp(CleanUpOptions options) {
        return leases.cleanUp(options);
    }

    @Override
    public void close() {
        leases.close();
    }

    @Override
    public String toString() {
        return "observed " + leases;
    }
}
