package dev.holdfast.sim;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.AsyncLeases;
import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.RenewOptions;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.service.LeaseService;
import dev.holdfast.sim.check.AcknowledgedWrites;
import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.sim.check.SimulatedCall;
import dev.holdfast.sim.check.SimulatedHolding;
import dev.holdfast.sim.check.TokenHolding;
import dev.holdfast.sim.world.ExtraFaults;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.sim.world.SimWorld;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The real client of a simulated process. It reports every call and response to the checkers. */
public final class SimClient {
    static final Duration OPERATION_TIMEOUT = Duration.ofMillis(1500);

    private final Simulation simulation;
    private final SimProcess process;
    private final Leases leases;
    private final boolean background;

    SimClient(Simulation simulation, SimProcess process, Leases leases, boolean background) {
        this.simulation = simulation;
        this.process = process;
        this.leases = leases;
        this.background = background;
    }

    public Simulation simulation() {
        return simulation;
    }

    public SimWorld world() {
        return simulation.world();
    }

    public SimProcess process() {
        return process;
    }

    public Leases leases() {
        return leases;
    }

    public AsyncLeases api() {
        return leases.async();
    }

    public HostEnvironment environment() {
        return LeaseService.of(leases).environment();
    }

    /** Reports an event to the checkers. */
    public void report(Consumer<InvariantChecker> event) {
        simulation.checks().report(event);
    }

    /** Runs {@code action} after a delay by the process's own clock. */
    public void after(Duration delay, Runnable action) {
        environment().schedule(delay, action);
    }

    /** Runs {@code action} after a random delay by the process's own clock. */
    public void afterUpTo(Duration most, Runnable action) {
        after(Duration.ofNanos(world().between(Duration.ZERO, most)), action);
    }

    /**
     * Runs {@code turn} until faults are over. It gets an action to call when it has ended; the next turn begins up to
     * {@code pause} later.
     */
    public void loop(Duration pause, Consumer<Runnable> turn) {
        if (!simulation.isWindingDown()) {
            turn.accept(() -> afterUpTo(pause, () -> loop(pause, turn)));
        }
    }

    /**
     * Acquires a lease. A {@code wait} of zero does not wait.
     *
     * @param granted called with the lease
     * @param otherwise called if the request was refused, failed, or was cancelled
     * @return an action that cancels the request
     */
    public Runnable acquire(
            Key key, AcquireOptions options, Duration wait, Consumer<SimulatedHolding> granted, Runnable otherwise) {
        return acquire("acquire", key, options, wait, granted, otherwise);
    }

    /** An action on a grant: holds it for up to {@code most}, releases it, then runs {@code then}. */
    public Consumer<SimulatedHolding> holdUpTo(Duration most, Runnable then) {
        return holding -> afterUpTo(most, () -> release(holding, then));
    }

    /**
     * An action on a grant: holds it for up to {@code most}, marks the key as done with this probability, and releases
     * the lease in any case, as user code does when it closes it.
     */
    public Consumer<SimulatedHolding> workUpTo(Duration most, double doneProbability, Runnable then) {
        return holding -> afterUpTo(most, () -> {
            Runnable release = () -> release(holding, then);
            if (world().chance(doneProbability)) {
                done(holding, release);
            } else {
                release.run();
            }
        });
    }

    /** Checks that a key can be acquired within {@code wait}, after all faults have healed. */
    void probe(Key key, Duration wait) {
        Consumer<SimulatedHolding> granted = holding -> release(holding, () -> {});
        acquire(SimulatedCall.PROBE, key, AcquireOptions.defaults(), wait, granted, () -> {});
    }

    private Runnable acquire(
            String name,
            Key key,
            AcquireOptions options,
            Duration wait,
            Consumer<SimulatedHolding> granted,
            Runnable otherwise) {
        SimulatedCall call = begin(name, key, wait.compareTo(OPERATION_TIMEOUT) > 0 ? wait : OPERATION_TIMEOUT);
        AcquireOptions marked = options.attributes(Attributes.NONE.with(AcknowledgedWrites.GRANTED_BY, call.id()));
        CompletionStage<AcquireResult> stage =
                wait.isZero() ? api().tryAcquire(key, marked) : api().acquire(key, marked, wait);
        Futures.whenDone(stage, (result, error) -> {
            if (result == null) {
                ended(call, error);
                otherwise.run();
                return;
            }
            report(checker -> checker.answered(call, result));
            if (result instanceof AcquireResult.Granted grant) {
                granted.accept(holding(grant.lease(), background));
            } else {
                otherwise.run();
            }
        });
        return () -> stage.toCompletableFuture().cancel(false);
    }

    /** Acquires an anchor with the name of this process. */
    public void anchor(Duration term, Consumer<SimulatedHolding> granted, Runnable otherwise) {
        simulation.tally().operation();
        Futures.whenDone(api().anchor(process.name(), term), (anchor, error) -> {
            if (anchor == null) {
                otherwise.run();
            } else {
                granted.accept(holding(anchor, background));
            }
        });
    }

    /**
     * Records that the process holds a lease.
     *
     * @param watched whether the client must report a loss by itself, in the background
     */
    public SimulatedHolding holding(Lease lease, boolean watched) {
        SimulatedHolding holding = new SimulatedHolding(process, lease, watched);
        report(checker -> checker.granted(holding));
        return holding;
    }

    /** The same, but the release sometimes names the process that should hold the key next, alive or not. */
    public Consumer<SimulatedHolding> passOnUpTo(Duration most, List<String> names, Runnable then) {
        return holding -> afterUpTo(most, () -> {
            if (world().chance(0.5)) {
                String next = world().pick(names);
                release(holding, lease -> lease.releaseToAsync(next), then);
            } else {
                release(holding, then);
            }
        });
    }

    /** Releases a lease, then runs {@code then}, even if the release failed. */
    public void release(SimulatedHolding holding, Runnable then) {
        release(holding, Lease::releaseAsync, then);
    }

    private void release(SimulatedHolding holding, Function<Lease, CompletionStage<Boolean>> release, Runnable then) {
        SimulatedCall call = begin("release", holding.key());
        holding.giveUp();
        CompletionStage<Boolean> released = release.apply(holding.lease());
        report(checker -> checker.gaveUp(holding));
        finish(call, released, then);
    }

    /** Marks a key as done. */
    public void done(SimulatedHolding holding, Runnable then) {
        SimulatedCall call = begin("done", holding.key());
        holding.giveUp();
        AttributePatch mark = AttributePatch.putting(AcknowledgedWrites.DONE_BY, call.id());
        CompletionStage<Void> done = holding.lease().doneAsync(mark);
        report(checker -> checker.gaveUp(holding));
        acknowledge(call, done, () -> {}, then);
    }

    public void update(SimulatedHolding holding) {
        SimulatedCall call = begin("update", holding.key());
        acknowledge(call, holding.lease().updateAsync(updatedBy(call)), () -> {}, () -> {});
    }

    private static AttributePatch updatedBy(SimulatedCall call) {
        return AttributePatch.putting(AcknowledgedWrites.UPDATED_BY, call.id());
    }

    public void renew(SimulatedHolding holding, Runnable then) {
        finish(begin("renew", holding.key()), holding.lease().renewAsync(), then);
    }

    public void evict(Key key, Runnable then) {
        report(checker -> checker.evicting(key));
        call("evict", key, api -> api.evict(key, "evicted by the scenario"), then);
    }

    /** Makes a call about {@code key}; then runs {@code then}, even if the call failed. */
    public void call(String name, Key key, Function<AsyncLeases, CompletionStage<?>> call, Runnable then) {
        finish(begin(name, key), call.apply(api()), then);
    }

    /** Detaches the lease; the process then holds the key by its token. Does nothing if the lease is not held. */
    public void detach(SimulatedHolding holding, Consumer<TokenHolding> then) {
        ClockReading heldFrom = TokenHolding.now(process);
        Lease lease = holding.lease();
        Duration left = Duration.ofMillis(Math.max(1, lease.remaining().toMillis()));
        if (lease.isHeld()) {
            simulation.tally().operation();
            holding.giveUp();
            Token token = lease.detach();
            report(checker -> checker.gaveUp(holding));
            TokenHolding heir = new TokenHolding(process, lease.key(), token, lease.fence(), left, heldFrom);
            report(checker -> checker.granted(heir));
            then.accept(heir);
        }
    }

    /**
     * Renews by token, with an update in the same write.
     *
     * @param term the term that is stored with the key
     */
    public void renew(TokenHolding holding, Duration term, Runnable then) {
        SimulatedCall call = begin("renew by token", holding.key());
        ClockReading sentAt = TokenHolding.now(process);
        RenewOptions options = RenewOptions.defaults().attributes(updatedBy(call));
        CompletionStage<?> renewed = api().renew(holding.key(), holding.token(), options);
        Runnable extended = () -> {
            holding.renewed(term, sentAt);
            report(checker -> checker.granted(holding));
        };
        acknowledge(call, renewed, extended, then);
    }

    /** Releases by token. */
    public void release(TokenHolding holding, Runnable then) {
        SimulatedCall call = begin("release by token", holding.key());
        holding.giveUp();
        finish(call, api().release(holding.key(), holding.token()), then);
    }

    /** Requests a grant that the store always rejects: it must fail, and no other request with it. */
    public void acquireInVain(Key key, AcquireOptions options, Runnable then) {
        SimulatedCall call = begin("acquire a rejected row", key);
        AcquireOptions poisoned = options.attributes(Attributes.NONE.with(ExtraFaults.POISON, 1));
        Futures.whenDone(api().tryAcquire(key, poisoned), (result, error) -> {
            if (result instanceof AcquireResult.Granted) {
                simulation.checks().violated("4, responses are true", call + " was granted");
            }
            ended(call, error);
            then.run();
        });
    }

    public void cleanUp(Runnable then) {
        simulation.tally().operation();
        Futures.whenDone(api().cleanUp(CleanUpOptions.idle(1000)), (removed, error) -> then.run());
    }

    /** Reports a write as acknowledged and runs {@code success}, unless it failed; then runs {@code then}. */
    private void acknowledge(SimulatedCall call, CompletionStage<?> stage, Runnable success, Runnable then) {
        Futures.whenDone(stage, (any, error) -> {
            if (error == null) {
                report(checker -> checker.acknowledged(call));
                success.run();
            } else {
                ended(call, error);
            }
            then.run();
        });
    }

    /** Reports the end of a call to the checkers, then runs {@code then}, even if the call failed. */
    private void finish(SimulatedCall call, CompletionStage<?> stage, Runnable then) {
        Futures.whenDone(stage, (any, error) -> {
            ended(call, error);
            then.run();
        });
    }

    private SimulatedCall begin(String name, Key key) {
        return begin(name, key, OPERATION_TIMEOUT);
    }

    private SimulatedCall begin(String name, Key key, Duration limit) {
        simulation.tally().operation();
        SimulatedCall call = SimulatedCall.begin(simulation.nextId(), name, process, key, limit);
        report(checker -> checker.began(call));
        return call;
    }

    private void ended(SimulatedCall call, @Nullable Throwable error) {
        if (error != null && Futures.cause(error) instanceof StoreException failure) {
            report(checker -> checker.failed(call, failure.effect()));
        } else {
            report(checker -> checker.ended(call));
        }
    }
}
