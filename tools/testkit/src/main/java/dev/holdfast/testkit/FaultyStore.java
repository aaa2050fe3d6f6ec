package dev.holdfast.testkit;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A wrapper around a store that makes its calls fail on purpose. It is a {@link ChangeNotifier} if the wrapped store
 * is.
 *
 * <p>The first of these rules that applies decides the fault of a call: a key of the batch is {@linkplain #reject
 * rejected}; the {@linkplain #next script}; the {@linkplain #always standing fault}; a {@linkplain #randomly random}
 * fault. Otherwise the call goes through. Before that, a call waits if the store is {@linkplain #hold held} or
 * {@linkplain #slowDown slow}.
 *
 * <p>The store counts the calls that reach it, failing ones included, for tests that assert costs. Thread-safe.
 */
public class FaultyStore implements LeaseStore {
    private final LeaseStore delegate;
    private final FaultPlan plan = new FaultPlan();
    private final CallGate gate = new CallGate();
    private final Set<Key> rejected = ConcurrentHashMap.newKeySet();
    private final List<List<Change>> late = new ArrayList<>();

    private final AtomicInteger applies = new AtomicInteger();
    private final AtomicInteger changes = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger scans = new AtomicInteger();

    private FaultyStore(LeaseStore delegate) {
        this.delegate = delegate;
    }

    /** Wraps {@code delegate}. Closing the wrapper closes it. */
    public static FaultyStore around(LeaseStore delegate) {
        return delegate instanceof ChangeNotifier notifier
                ? new Notifying(delegate, notifier)
                : new FaultyStore(delegate);
    }

    /** The number of calls that reached the store, and of the changes in them. */
    public record Calls(int applies, int changes, int reads, int scans) {
        /** The calls since {@code before}. */
        public Calls since(Calls before) {
            return new Calls(
                    applies - before.applies, changes - before.changes, reads - before.reads, scans - before.scans);
        }
    }

    public Calls calls() {
        return new Calls(applies.get(), changes.get(), reads.get(), scans.get());
    }

    /** Appends to the script of {@code apply}: the next calls have these faults, one each. */
    public FaultyStore next(StoreFault... faults) {
        return next(Call.APPLY, faults);
    }

    /** Appends to the script of one kind of call: the next calls have these faults, one each. */
    public FaultyStore next(Call call, StoreFault... faults) {
        plan.script(call, faults);
        return this;
    }

    /** Sets the fault of every call of one kind from now on, once its script is used up. */
    public FaultyStore always(Call call, StoreFault fault) {
        plan.always(call, fault);
        return this;
    }

    /**
     * Makes each call fail with this probability from now on, with one of {@code faults}, chosen at random from this
     * seed. A read or scan has nothing to apply, so each fault only makes it fail.
     */
    public FaultyStore randomly(long seed, double probability, StoreFault... faults) {
        plan.randomly(seed, probability, faults);
        return this;
    }

    /** Makes every batch with a change of {@code key} fail as a whole from now on, not retryable: one bad row. */
    public FaultyStore reject(Key key) {
        rejected.add(key);
        return this;
    }

    /** Ends all faults and lets held calls proceed. Late requests stay late. */
    public FaultyStore heal() {
        plan.clear();
        rejected.clear();
        gate.open();
        return this;
    }

    /** Makes every call wait until {@link #letGo}. Only for stores with lanes: on others the call blocks the test. */
    public FaultyStore hold() {
        gate.close();
        return this;
    }

    /** Lets held calls and all later ones proceed. */
    public FaultyStore letGo() {
        gate.open();
        return this;
    }

    /** Delays every call from now on by the clock of {@code environment}. Only for stores with lanes. */
    public FaultyStore slowDown(HostEnvironment environment, Duration delay) {
        gate.slowDown(environment, delay);
        return this;
    }

    /** The number of calls that wait now, because the store is held or slow. */
    public int waiting() {
        return gate.waiting();
    }

    /**
     * Applies the requests that were {@linkplain StoreFault#DELIVER_LATE late}, in the order in which they were sent.
     *
     * @return the outcome of each change; the client that sent the request never receives it
     */
    public List<WriteOutcome> deliverLate() {
        List<List<Change>> batches;
        synchronized (late) {
            batches = List.copyOf(late);
            late.clear();
        }
        return batches.stream().flatMap(batch -> delegate.apply(batch).stream()).toList();
    }

    @Override
    public List<WriteOutcome> apply(List<Change> batch) {
        applies.incrementAndGet();
        changes.addAndGet(batch.size());
        gate.pass();
        for (Change change : batch) {
            if (rejected.contains(change.key())) {
                throw StoreException.rejected("faulty: the row of " + change.key() + " is bad", null);
            }
        }
        StoreFault fault = plan.next(Call.APPLY);
        switch (fault) {
            case NONE -> {
                return delegate.apply(batch);
            }
            case LOSE_ANSWER -> delegate.apply(batch);
            case DELIVER_LATE -> {
                synchronized (late) {
                    late.add(List.copyOf(batch));
                }
            }
            default -> {}
        }
        throw fault.exception();
    }

    @Override
    public List<Optional<StoredEntry>> read(List<Key> keys) {
        reads.incrementAndGet();
        return query(Call.READ, () -> delegate.read(keys));
    }

    @Override
    public ScanPage scan(EntryScan scan) {
        scans.incrementAndGet();
        return query(Call.SCAN, () -> delegate.scan(scan));
    }

    private <T> T query(Call call, Supplier<T> delegateCall) {
        gate.pass();
        StoreFault fault = plan.next(call);
        if (fault == StoreFault.NONE) {
            return delegateCall.get();
        }
        throw fault.exception();
    }

    /**
     * The traits of the wrapped store, but calls are unbounded: a test may {@linkplain #hold hold} one for any time.
     */
    @Override
    public StoreTraits traits() {
        return delegate.traits().withLongestCall(StoreTraits.UNBOUNDED);
    }

    @Override
    public void close() {
        delegate.close();
    }

    /** The kinds of calls. */
    public enum Call {
        APPLY,
        READ,
        SCAN
    }

    private static final class Notifying extends FaultyStore implements ChangeNotifier {
        private final ChangeNotifier notifier;

        Notifying(LeaseStore delegate, ChangeNotifier notifier) {
            super(delegate);
            this.notifier = notifier;
        }

        @Override
        public Registration onFreed(Key key, WakeUp wake) {
            return notifier.onFreed(key, wake);
        }
    }
}
