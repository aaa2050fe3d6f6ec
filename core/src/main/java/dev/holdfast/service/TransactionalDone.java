package dev.holdfast.service;

import dev.holdfast.AttributePatch;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.StoreException;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.DecisionRules;
import dev.holdfast.rules.ExpiryRules;
import dev.holdfast.rules.FenceRules;
import dev.holdfast.rules.HistoryRules;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.rules.WriteStamp;
import dev.holdfast.store.Change;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.Version;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import dev.holdfast.support.RetryBackoff;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The mark that a key is done, written in the same transaction as the work: both are committed, or neither is.
 *
 * <pre>
 *   lease granted -- transaction begins -- work -- mark -- commit -- noteCommitted
 *                                                            |
 *                                                            +-- no answer: settle
 * </pre>
 *
 * <p>The lease must be held through an anchor: its entry is then not renewed, and a renewal cannot conflict with the
 * transaction. From {@link #mark} to the commit, the lock on the entry keeps other holders out, and no longer the term of
 * the lease. So a lease that has expired may still be marked, unless another holder was granted the key.
 *
 * <p>The methods do not block, except {@link #mark}, which blocks as long as the transaction does.
 */
public class TransactionalDone {
    /** The end of a transaction, found out after its commit got no answer. */
    public enum CommitOutcome {
        COMMITTED,
        ROLLED_BACK
    }

    private final LeaseService service;
    private final TransactionalLease lease;
    private final DecisionRules rules;

    public TransactionalDone(LeaseService service, Lease lease) {
        this(
                service,
                lease,
                new DecisionRules(
                        new ExpiryRules(Duration.ZERO), new FenceRules(), new HistoryRules(service.historyLength())));
    }

    /** @param rules the rules of the client; the simulator plants bugs there */
    public TransactionalDone(LeaseService service, Lease lease, DecisionRules rules) {
        if (!(lease instanceof TransactionalLease transactional)) {
            throw ArgumentCheck.bad("lease", lease.getClass().getName(), "a lease of a client that Holdfast opened");
        }
        this.service = service;
        this.lease = transactional;
        this.rules = rules;
    }

    public Lease lease() {
        return lease;
    }

    /**
     * Marks the key as done. Must be the last statement of the transaction.
     *
     * @throws LeaseLostException if another holder was granted the key, or it was released; the transaction must be rolled
     *     back
     */
    public void mark(CallerTransaction transaction, AttributePatch patch) {
        // First: once the key is done, another client may reopen it and be granted it before the commit is answered.
        lease.stopRelying();
        Key key = lease.key();
        StoredEntry stored = transaction.lock(key);
        ClockReading now =
                new ClockReading(service.nanos(), service.environment().now().truncatedTo(ChronoUnit.MICROS));
        Decision decision = rules.decide(
                key,
                new LeaseRequest.Done(lease.token(), patch),
                new ObservedEntry(stored, 0, 0, now.nanos(), now.nanos()),
                null,
                new WriteStamp(Version.of(service.environment().randomId()), now, Fence.NONE));
        if (decision instanceof Decision.Lost lost) {
            throw new LeaseLostException(key, lost.reason());
        }
        if (decision instanceof Decision.Write write) {
            apply(transaction, write.change());
        } else if (!(decision instanceof Decision.Already)) {
            throw new IllegalStateException("done: " + decision);
        }
    }

    private static void apply(CallerTransaction transaction, Change change) {
        if (!(transaction.apply(change) instanceof WriteOutcome.Applied)) {
            throw StoreException.notApplied(change.key() + " changed although this transaction has locked it", null);
        }
    }

    /** Notes that the transaction was committed. */
    public void noteCommitted() {
        lease.noteDone();
    }

    /**
     * Finds out how a transaction ended whose commit was not answered. A read could not tell: the transaction may still be
     * under way. This releases the key instead: the release waits until the transaction has ended, and is applied only if
     * that was rolled back.
     *
     * <p>Fails with a {@link StoreException} of unknown effect if there is no answer within {@code within}, or if another
     * process changed the key meanwhile.
     */
    public CompletableFuture<CommitOutcome> settle(Duration within) {
        CompletableFuture<CommitOutcome> result = new CompletableFuture<>();
        settle(service.nanos() + within.toNanos(), 1, result);
        return result;
    }

    private void settle(long deadlineNanos, int attempt, CompletableFuture<CommitOutcome> result) {
        Futures.whenDone(Futures.contain(() -> service.release(lease.key(), lease.token())), (answer, error) -> {
            if (answer instanceof Answer.Applied) {
                result.complete(CommitOutcome.ROLLED_BACK);
            } else if (answer != null) {
                released(result);
            } else if (!isRetryable(error) || service.nanos() - deadlineNanos >= 0) {
                result.completeExceptionally(unknown(error));
            } else {
                service.environment()
                        .schedule(
                                RetryBackoff.RETRY.delay(attempt, service.environment()),
                                () -> settle(deadlineNanos, attempt + 1, result));
            }
        });
    }

    /** The key was not held by this lease when the release was decided, so the transaction has ended: now a read can tell. */
    private void released(CompletableFuture<CommitOutcome> result) {
        Futures.whenDone(Futures.contain(() -> service.statuses().get(lease.key())), (status, error) -> {
            if (status != null && status.filter(this::isDoneByThis).isPresent()) {
                lease.noteDone();
                result.complete(CommitOutcome.COMMITTED);
            } else {
                result.completeExceptionally(unknown(error));
            }
        });
    }

    private boolean isDoneByThis(LeaseStatus status) {
        return status.state() == LeaseState.DONE && status.fence().equals(lease.fence());
    }

    private static boolean isRetryable(@Nullable Throwable error) {
        return error != null && Futures.cause(error) instanceof StoreException failure && failure.isRetryable();
    }

    private StoreException unknown(@Nullable Throwable error) {
        return StoreException.unknown(
                lease.key() + ": it is not known whether the transaction was committed",
                error == null ? null : Futures.cause(error));
    }

    /**
     * Releases the key after a rollback. It is tried until the store answers: a lease under an anchor would otherwise last
     * as long as the anchor.
     */
    public void release() {
        lease.stopRelying();
        release(1);
    }

    private void release(int attempt) {
        Futures.whenDone(Futures.contain(() -> service.release(lease.key(), lease.token())), (answer, error) -> {
            if (answer == null && isRetryable(error)) {
                service.environment()
                        .schedule(RetryBackoff.RETRY.delay(attempt, service.environment()), () -> release(attempt + 1));
            }
        });
    }
}
