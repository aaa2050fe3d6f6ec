package dev.holdfast.sim;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.AsyncLeases;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.Leases;
import dev.holdfast.importing.ImportTarget;
import dev.holdfast.importing.ImportingLeases;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Attributes;
import dev.holdfast.model.ImportedRow;
import dev.holdfast.model.Key;
import dev.holdfast.model.Term;
import dev.holdfast.model.Token;
import dev.holdfast.sim.check.Acknowledgements;
import dev.holdfast.sim.check.Holding;
import dev.holdfast.sim.check.Operation;
import dev.holdfast.sim.check.TokenHolding;
import dev.holdfast.sim.world.ExtraFaults;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.sim.world.World;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The real client of a simulated process, with every call and answer shown to the checkers. */
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

    public World world() {
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

    /** Comes back after a while, by the process's own clock. */
    public void after(Duration delay, Runnable action) {
        leases.runtime().schedule(delay, action);
    }

    /** Comes back after a random while. */
    public void afterUpTo(Duration most, Runnable action) {
        after(Duration.ofNanos(world().between(Duration.ZERO, most)), action);
    }

    /**
     * Acquires; {@code wait} zero does not wait.
     *
     * @param granted called with the lease
     * @param otherwise called if it was refused, failed, or was cancelled
     * @return cancels it
     */
    public Runnable acquire(
            Key key, AcquireOptions options, Duration wait, Consumer<Holding> granted, Runnable otherwise) {
        return acquire("acquire", key, options, wait, granted, otherwise);
    }

    /** Finds out whether a key can be had within {@code wait}, now that all has healed. */
    void probe(Key key, Duration wait) {
        acquire(Operation.PROBE, key, AcquireOptions.defaults(), wait, holding -> release(holding, () -> {}), () -> {});
    }

    private Runnable acquire(
            String name,
            Key key,
            AcquireOptions options,
            Duration wait,
            Consumer<Holding> granted,
            Runnable otherwise) {
        Duration limit = wait.compareTo(OPERATION_TIMEOUT) > 0 ? wait : OPERATION_TIMEOUT;
        Operation operation = begin(name, key, limit);
        AcquireOptions marked = options.attributes(Attributes.NONE.with(Acknowledgements.GRANTED_BY, operation.id()));
        CompletionStage<AcquireResult> stage =
                wait.isZero() ? api().tryAcquire(key, marked) : api().acquire(key, marked, wait);
        Futures.whenDone(stage, (result, error) -> {
            if (result == null) {
                failed(operation, error);
                otherwise.run();
                return;
            }
            simulation.checks().tell(checker -> checker.answered(operation, result));
            if (result instanceof AcquireResult.Granted grant) {
                granted.accept(holding(grant.held(), background));
            } else {
                otherwise.run();
            }
        });
        return () -> stage.toCompletableFuture().cancel(false);
    }

    /** Acquires an anchor of this process's name. */
    public void anchor(Duration term, Consumer<Holding> granted, Runnable otherwise) {
        simulation.tally().operation();
        Futures.whenDone(api().anchor(process.name(), term), (Anchor anchor, Throwable error) -> {
            if (anchor == null) {
                otherwise.run();
            } else {
                granted.accept(holding(anchor, background));
            }
        });
    }

    private Holding holding(Lease lease, boolean watched) {
        Holding holding = new Holding(process, lease, watched);
        simulation.checks().tell(checker -> checker.granted(holding));
        return holding;
    }

    /** Releases, and goes on whether that worked or not. */
    public void release(Holding holding, Runnable then) {
        Operation operation = begin("release", holding.lease().key());
        holding.giveUp();
        CompletionStage<Boolean> released = holding.lease().releaseAsync();
        simulation.checks().tell(checker -> checker.gaveUp(holding));
        finish(operation, released, then);
    }

    /** Marks done. */
    public void done(Holding holding, Runnable then) {
        Operation operation = begin("done", holding.lease().key());
        holding.giveUp();
        AttributePatch mark = AttributePatch.putting(Acknowledgements.DONE_BY, operation.id());
        CompletionStage<Void> done = holding.lease().doneAsync(mark);
        simulation.checks().tell(checker -> checker.gaveUp(holding));
        Futures.whenDone(done, (nothing, error) -> {
            if (error == null) {
                simulation.checks().tell(checker -> checker.done(operation));
            } else {
                failed(operation, error);
            }
            then.run();
        });
    }

    public void update(Holding holding) {
        Operation operation = begin("update", holding.lease().key());
        AttributePatch patch = AttributePatch.putting(Acknowledgements.UPDATED_BY, operation.id());
        Futures.whenDone(holding.lease().updateAsync(patch), (nothing, error) -> {
            if (error == null) {
                simulation.checks().tell(checker -> checker.updated(operation));
            } else {
                failed(operation, error);
            }
        });
    }

    public void renew(Holding holding, Runnable then) {
        finish(begin("renew", holding.lease().key()), holding.lease().renewAsync(), then);
    }

    public void delete(Key key, Runnable then) {
        finish(begin("delete", key), api().delete(key, null), then);
    }

    public void reopen(Key key, Runnable then) {
        finish(begin("reopen", key), api().reopen(key), then);
    }

    public void evict(Key key, Runnable then) {
        simulation.checks().tell(checker -> checker.evicting(key));
        finish(begin("evict", key), api().evict(key, "the scenario wants it so"), then);
    }

    /** Leaves the lease to its token, which {@code heir} then has; nothing happens if it is not held. */
    public void detach(Holding holding, Consumer<Token> heir) {
        if (holding.lease().isHeld()) {
            simulation.tally().operation();
            holding.giveUp();
            Token token = holding.lease().detach();
            simulation.checks().tell(checker -> checker.gaveUp(holding));
            heir.accept(token);
        }
    }

    /**
     * Renews by token, with an update by the same write.
     *
     * @param term that the key is stored with
     */
    public void renew(TokenHolding holding, Term term, Runnable then) {
        Operation operation = begin("renew by token", holding.key());
        Moment asked = TokenHolding.now(process);
        AttributePatch patch = AttributePatch.putting(Acknowledgements.UPDATED_BY, operation.id());
        Futures.whenDone(api().renew(holding.key(), holding.token(), patch), (remaining, error) -> {
            if (error == null) {
                holding.renewed(term, asked);
                simulation.checks().tell(checker -> checker.updated(operation));
                simulation.checks().tell(checker -> checker.believes(holding));
            } else {
                failed(operation, error);
            }
            then.run();
        });
    }

    /** Releases by token. */
    public void release(TokenHolding holding, Runnable then) {
        Operation operation = begin("release by token", holding.key());
        holding.giveUp();
        finish(operation, api().release(holding.key(), holding.token()), then);
    }

    /** Asks for a grant that the store never takes: it must fail, and nothing else with it. */
    public void acquireInVain(Key key, AcquireOptions options, Runnable then) {
        Operation operation = begin("acquire in vain", key);
        AcquireOptions poisoned = options.attributes(Attributes.NONE.with(ExtraFaults.POISON, 1));
        Futures.whenDone(api().tryAcquire(key, poisoned), (result, error) -> {
            if (result instanceof AcquireResult.Granted) {
                simulation.checks().violated("4, answers are true", operation + " was granted");
            }
            failed(operation, error);
            then.run();
        });
    }

    public void get(Key key, Runnable then) {
        finish(begin("get", key), api().get(key), then);
    }

    /** Lists the first page of the namespace that {@code key} is in. */
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

    /** Shows the end of a call to the checkers, and goes on, however it ended. */
    private void finish(Operation operation, CompletionStage<?> stage, Runnable then) {
        Futures.whenDone(stage, (any, error) -> {
            failed(operation, error);
            then.run();
        });
    }

    private Operation begin(String name, Key key) {
        return begin(name, key, OPERATION_TIMEOUT);
    }

    private Operation begin(String name, Key key, Duration limit) {
        simulation.tally().operation();
        long id = simulation.nextId();
        Operation operation = new Operation(
                id, name, process, key, world().nowNanos(), process.clock().ticker(), limit);
        simulation.checks().tell(checker -> checker.began(operation));
        return operation;
    }

    private void failed(Operation operation, @Nullable Throwable error) {
        if (error != null && Futures.cause(error) instanceof StoreException trouble) {
            simulation.checks().tell(checker -> checker.failed(operation, trouble.effect()));
        } else {
            simulation.checks().tell(checker -> checker.ended(operation));
        }
    }
}
