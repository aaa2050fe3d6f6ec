package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.HoldfastException;
import dev.holdfast.Key;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.TransactionalDone;
import dev.holdfast.service.TransactionalDone.CommitOutcome;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.SimulatedHolding;
import dev.holdfast.sim.world.SimTransaction;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A scenario of workers that process keys in transactions, and mark them done in the same ones. Commits get lost, arrive late, and
 * remain unanswered. The work of each key is committed at most once, and no worker hears that it was rolled back if it was not.
 */
final class MarkedTransactions implements SimulationScenario {
    private static final List<Key> KEYS = SimulationScenario.keys(12);
    private static final Duration TERM = Duration.ofMillis(1800);
    private static final Duration PAUSE = Duration.ofMillis(400);
    private static final Duration SETTLE = Duration.ofSeconds(10);

    @Override
    public void play(Simulation simulation) {
        WorkLedger ledger = new WorkLedger(simulation);
        simulation.processes("worker", 3, client -> join(client, ledger));
        simulation.playOut(Duration.ofSeconds(30), Duration.ofSeconds(24), KEYS);
    }

    private void join(SimClient client, WorkLedger ledger) {
        client.loop(PAUSE, again -> client.anchor(TERM, anchor -> work(client, anchor, ledger, again), again));
    }

    private void work(SimClient client, SimulatedHolding anchor, WorkLedger ledger, Runnable again) {
        if (client.simulation().isWindingDown()) {
            client.release(anchor, () -> {});
        } else if (!anchor.lease().isHeld() || client.world().chance(0.03)) {
            client.release(anchor, again);
        } else {
            Runnable next = () -> client.afterUpTo(PAUSE, () -> work(client, anchor, ledger, again));
            AcquireOptions options = AcquireOptions.defaults().under((Anchor) anchor.lease());
            client.acquire(
                    client.world().pick(KEYS),
                    options,
                    Duration.ZERO,
                    // Sometimes for longer than the term: the anchor is renewed meanwhile, or lost.
                    holding -> client.afterUpTo(TERM.multipliedBy(2), () -> transact(client, holding, ledger, next)),
                    next);
        }
    }

    private void transact(SimClient client, SimulatedHolding holding, WorkLedger ledger, Runnable next) {
        Simulation simulation = client.simulation();
        LeaseService service = LeaseService.of(client.leases());
        TransactionalDone done = simulation
                .variant()
                .transactionalDone(
                        service,
                        holding.lease(),
                        simulation.variant().rules(Duration.ZERO).decisions());
        long attempt = ledger.begin();
        SimTransaction transaction = new SimTransaction(
                client.world(), simulation.store(), client.process(), () -> ledger.commit(holding.key(), attempt));
        holding.giveUp();
        try {
            done.mark(transaction, AttributePatch.NONE);
        } catch (HoldfastException e) {
            transaction.rollback();
            done.release();
            client.report(checker -> checker.gaveUp(holding));
            next.run();
            return;
        }
        client.report(checker -> checker.gaveUp(holding));
        if (client.world().chance(0.1)) { // The work fails after all.
            transaction.rollback();
            done.release();
            next.run();
            return;
        }
        Futures.whenDone(transaction.commit(), (yes, error) -> {
            if (error == null) {
                done.noteCommitted();
                next.run();
            } else {
                settle(done, attempt, ledger, next);
            }
        });
    }

    private static void settle(TransactionalDone done, long attempt, WorkLedger ledger, Runnable next) {
        Futures.whenDone(done.settle(SETTLE), (outcome, error) -> {
            if (outcome != null) {
                ledger.reported(done.lease().key(), attempt, outcome);
            } else {
                done.release();
            }
            next.run();
        });
    }

    /** The table of the work, in the same database: it outlives all processes. */
    private static final class WorkLedger {
        private final Simulation simulation;
        private final Map<Key, Long> committed = new HashMap<>();
        private final Set<Long> rolledBack = new HashSet<>();
        private long attempts;

        WorkLedger(Simulation simulation) {
            this.simulation = simulation;
        }

        long begin() {
            simulation.tally().operation();
            return ++attempts;
        }

        void commit(Key key, long attempt) {
            Long before = committed.putIfAbsent(key, attempt);
            if (before != null) {
                violated(key + ": the work of attempt " + attempt + " was committed after that of " + before);
            }
            if (rolledBack.contains(attempt)) {
                violated(key + ": attempt " + attempt + " was reported as rolled back, and is committed");
            }
        }

        void reported(Key key, long attempt, CommitOutcome outcome) {
            boolean isCommitted = Long.valueOf(attempt).equals(committed.get(key));
            if (isCommitted != (outcome == CommitOutcome.COMMITTED)) {
                violated(key + ": attempt " + attempt + " was reported as " + outcome + ", committed: " + isCommitted);
            }
            if (!isCommitted) {
                rolledBack.add(attempt);
            }
        }

        private void violated(String what) {
            simulation.checks().violated("3, work and mark are committed together", what);
        }
    }
}
