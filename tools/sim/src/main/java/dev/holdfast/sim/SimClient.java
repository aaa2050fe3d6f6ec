package dev.holdfast.sim;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.AsyncLeases;
import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.Leases;
import dev.holdfast.RenewOptions;
import dev.holdfast.StoreException;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Term;
import dev.holdfast.Token;
import dev.holdfast.importing.ImportTarget;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.importing.ImportingLeases;
import dev.holdfast.support.Futures;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.sim.check.AcknowledgedWrites;
import dev.holdfast.sim.check.SimulatedCall;
import dev.holdfast.sim.check.SimulatedHolding;
import dev.holdfast.sim.check.TokenHolders;
import dev.holdfast.sim.world.ExtraFaults;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.sim.world.SimWorld;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
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

    /** Runs {@code action} after a delay by the process's own clock. */
    public void after(Duration delay, Runnable action) {
        LeaseService.of(leases).environment().schedule(delay, action);
    }

    /** Runs {@code action} after a random delay by the process's own clock. */
    public void afterUpTo(Duration most, Runnable action) {
        after(Duration.ofNanos(world().between(Duration.ZERO, most)), action);
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

    /** Checks that a key can be acquired within {@code wait}, after all faults have healed. */
    void probe(Key key, Duration wait) {
        acquire(
                SimulatedCall.PROBE,
                key,
                AcquireOptions.defaults(),
                wait,
                simulatedHolding -> release(simulatedHolding, () -> {}),
                () -> {});
    }

    private Runnable acquire(
            String name,
            Key key,
            AcquireOptions options,
            Duration wait,
            Consumer<SimulatedHolding> granted,
            Runnable otherwise) {
        Duration limit = wait.compareTo(OPERATION_TIMEOUT) > 0 ? wait : OPERATION_TIMEOUT;
        SimulatedCall simulatedCall = begin(name, key, limit);
        AcquireOptions marked =
                options.attributes(Attributes.NONE.with(AcknowledgedWrites.GRANTED_BY, simulatedCall.id()));
        CompletionStage<AcquireResult> stage =
                wait.isZero() ? api().tryAcquire(key, marked) : api().acquire(key, marked, wait);
        Futures.whenDone(stage, (result, error) -> {
            if (result == null) {
                failed(simulatedCall, error);
                otherwise.run();
                return;
            }
            simulation.checks().tell(invariantChecker -> invariantChecker.answered(simulatedCall, result));
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
        Futures.whenDone(api().anchor(process.name(), term), (Anchor anchor, Throwable error) -> {
            if (anchor == null) {
                otherwise.run();
            } else {
                granted.accept(holding(anchor, background));
            }
        });
    }

    private SimulatedHolding holding(Lease lease, boolean watched) {
        SimulatedHolding simulatedHolding = new SimulatedHolding(process, lease, watched);
        simulation.checks().tell(invariantChecker -> invariantChecker.granted(simulatedHolding));
        return simulatedHolding;
    }

    /** Releases a lease, then runs {@code then}, even if the release failed. */
    public void release(SimulatedHolding simulatedHolding, Runnable then) {
        SimulatedCall simulatedCall = begin("release", simulatedHolding.lease().key());
        simulatedHolding.giveUp();
        CompletionStage<Boolean> released = simulatedHolding.lease().releaseAsync();
        simulation.checks().tell(invariantChecker -> invariantChecker.gaveUp(simulatedHolding));
        finish(simulatedCall, released, then);
    }

    /** Marks a key as done. */
    public void done(SimulatedHolding simulatedHolding, Runnable then) {
        SimulatedCall simulatedCall = begin("done", simulatedHolding.lease().key());
        simulatedHolding.giveUp();
        AttributePatch mark = AttributePatch.putting(AcknowledgedWrites.DONE_BY, simulatedCall.id());
        CompletionStage<Void> done = simulatedHolding.lease().doneAsync(mark);
        simulation.checks().tell(invariantChecker -> invariantChecker.gaveUp(simulatedHolding));
        Futures.whenDone(done, (nothing, error) -> {
            if (error == null) {
                simulation.checks().tell(invariantChecker -> invariantChecker.done(simulatedCall));
            } else {
                failed(simulatedCall, error);
            }
            then.run();
        });
    }

    public void update(SimulatedHolding simulatedHolding) {
        SimulatedCall simulatedCall = begin("update", simulatedHolding.lease().key());
        AttributePatch patch = AttributePatch.putting(AcknowledgedWrites.UPDATED_BY, simulatedCall.id());
        Futures.whenDone(simulatedHolding.lease().updateAsync(patch), (nothing, error) -> {
            if (error == null) {
                simulation.checks().tell(invariantChecker -> invariantChecker.updated(simulatedCall));
            } else {
                failed(simulatedCall, error);
            }
        });
    }

    public void renew(SimulatedHolding simulatedHolding, Runnable then) {
        finish(
                begin("renew", simulatedHolding.lease().key()),
                simulatedHolding.lease().renewAsync(),
                then);
    }

    public void delete(Key key, Runnable then) {
        finish(begin("delete", key), api().delete(key, null), then);
    }

    public void reopen(Key key, Runnable then) {
        finish(begin("reopen", key), api().reopen(key), then);
    }

    public void evict(Key key, Runnable then) {
        simulation.checks().tell(invariantChecker -> invariantChecker.evicting(key));
        finish(begin("evict", key), api().evict(key, "evicted by the scenario"), then);
    }

    /** Detaches the lease and passes its token to {@code then}; does nothing if the lease is not held. */
    public void detach(SimulatedHolding simulatedHolding, Consumer<Token> then) {
        if (simulatedHolding.lease().isHeld()) {
            simulation.tally().operation();
            simulatedHolding.giveUp();
            Token token = simulatedHolding.lease().detach();
            simulation.checks().tell(invariantChecker -> invariantChecker.gaveUp(simulatedHolding));
            then.accept(token);
        }
    }

    /**
     * Renews by token, with an update in the same write.
     *
     * @param term the term that is stored with the key
     */
    public void renew(TokenHolders holding, Term term, Runnable then) {
        SimulatedCall simulatedCall = begin("renew by token", holding.key());
        ClockReading sentAt = TokenHolders.now(process);
        AttributePatch patch = AttributePatch.putting(AcknowledgedWrites.UPDATED_BY, simulatedCall.id());
        Futures.whenDone(api().renew(holding.key(), holding.token(), RenewOptions.defaults().attributes(patch)), (remaining, error) -> {
            if (error == null) {
                holding.renewed(term, sentAt);
                simulation.checks().tell(invariantChecker -> invariantChecker.updated(simulatedCall));
                simulation.checks().tell(invariantChecker -> invariantChecker.believes(holding));
            } else {
                failed(simulatedCall, error);
            }
            then.run();
        });
    }

    /** Releases by token. */
    public void release(TokenHolders holding, Runnable then) {
        SimulatedCall simulatedCall = begin("release by token", holding.key());
        holding.giveUp();
        finish(simulatedCall, api().release(holding.key(), holding.token()), then);
    }

    /** Requests a grant that the store always rejects: it must fail, and no other request with it. */
    public void acquireInVain(Key key, AcquireOptions options, Runnable then) {
        SimulatedCall simulatedCall = begin("acquire a rejected row", key);
        AcquireOptions poisoned = options.attributes(Attributes.NONE.with(ExtraFaults.POISON, 1));
        Futures.whenDone(api().tryAcquire(key, poisoned), (result, error) -> {
            if (result instanceof AcquireResult.Granted) {
                simulation.checks().violated("4, responses are true", simulatedCall + " was granted");
            }
            failed(simulatedCall, error);
            then.run();
        });
    }

    public void get(Key key, Runnable then) {
        finish(begin("get", key), api().get(key), then);
    }

    /** Lists the first page of the namespace of {@code key}. */
    public void list(Key key, Runnable then) {
        finish(begin("list", key), api().list(LeaseFilter.namespacePrefix(key.namespace()), null, 100), then);
    }

    public void cleanUp(Runnable then) {
        simulation.tally().operation();
        Futures.whenDone(api().cleanUp(CleanUpOptions.idle(1000)), (removed, error) -> then.run());
    }

    /** Writes a row of another tool, unless a client has changed the key. */
    public void importRow(ImportedRow row, Runnable then) {
        ImportTarget target = ((ImportingLeases) leases).importTarget();
        finish(begin("import", row.key()), target.writeAsync(List.of(row)), then);
    }

    /** Reports the end of a call to the checkers, then runs {@code then}, even if the call failed. */
    private void finish(SimulatedCall simulatedCall, CompletionStage<?> stage, Runnable then) {
        Futures.whenDone(stage, (any, error) -> {
            failed(simulatedCall, error);
            then.run();
        });
    }

    private SimulatedCall begin(String name, Key key) {
        return begin(name, key, OPERATION_TIMEOUT);
    }

    private SimulatedCall begin(String name, Key key, Duration limit) {
        simulation.tally().operation();
        long id = simulation.nextId();
        SimulatedCall simulatedCall = new SimulatedCall(
                id, name, process, key, world().nowNanos(), process.clock().ticker(), limit);
        simulation.checks().tell(invariantChecker -> invariantChecker.began(simulatedCall));
        return simulatedCall;
    }

    private void failed(SimulatedCall simulatedCall, @Nullable Throwable error) {
        if (error != null && Futures.cause(error) instanceof StoreException failure) {
            simulation.checks().tell(invariantChecker -> invariantChecker.failed(simulatedCall, failure.effect()));
        } else {
            simulation.checks().tell(invariantChecker -> invariantChecker.ended(simulatedCall));
        }
    }
}
