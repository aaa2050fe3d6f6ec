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
 * A store that fails on purpose, around one that does not. It tells of changes if the other does.
 *
 * <p>What happens to a call is looked up in this order: a key of the batch is {@linkplain #reject rejected}; the
 * {@linkplain #next script}; the {@linkplain #always standing fault}; the {@linkplain #randomly dice}; else nothing.
 * Before that, a call waits if the store is {@linkplain #hold held up} or {@linkplain #slowDown slow}.
 *
 * <p>Thread-safe, and it counts the calls that reach it, faults included, for tests that assert what something costs.
 */
public class FaultyStore implements LeaseStore {
    private final LeaseStore delegate;
    private final FaultPlan plan = new FaultPlan();
    private final CallGate callGate = new CallGate();
    private final Set<Key> rejected = ConcurrentHashMap.newKeySet();
    private final List<List<Change>> late = new ArrayList<>();

    private final AtomicInteger applies = new AtomicInteger();
    private final AtomicInteger changes = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger scans = new AtomicInteger();

    private FaultyStore(LeaseStore delegate) {
        this.delegate = delegate;
    }

    /** Wraps {@code delegate}, and closes it when closed. */
    public static FaultyStore around(LeaseStore delegate) {
        return delegate instanceof ChangeNotifier notifier
                ? new Notifying(delegate, notifier)
                : new FaultyStore(delegate);
    }

    /** How many calls have come so far. */
    public record Calls(int applies, int changes, int reads, int scans) {
        /** What came since {@code before}. */
        public Calls since(Calls before) {
            return new Calls(
                    applies - before.applies, changes - before.changes, reads - before.reads, scans - before.scans);
        }
    }

    public Calls calls() {
        return new Calls(applies.get(), changes.get(), reads.get(), scans.get());
    }

    /** What happens to the next calls of {@code apply}, one after another; adds to what was said before. */
    public FaultyStore next(StoreFault... faults) {
        return next(Call.APPLY, faults);
    }

    /** What happens to the next calls of one kind, one after another; adds to what was said before. */
    public FaultyStore next(Call call, StoreFault... faults) {
        plan.script(call, faults);
        return this;
    }

    /** What happens to every call of one kind from now on, after the script. */
    public FaultyStore always(Call call, StoreFault storeFault) {
        plan.always(call, storeFault);
        return this;
    }

    /**
     * From now on each call fails with this probability, in one of the ways given, by dice with this seed. A read or
     * scan has nothing to apply: whatever becomes of it, it only fails.
     */
    public FaultyStore randomly(long seed, double probability, StoreFault... faults) {
        plan.randomly(seed, probability, faults);
        return this;
    }

    /** Every batch with a change of {@code key} fails from now on, whole and not retryable: one bad row. */
    public FaultyStore reject(Key key) {
        rejected.add(key);
        return this;
    }

    /** Ends all faults, and lets through what is held up. What is late stays late. */
    public FaultyStore heal() {
        plan.clear();
        rejected.clear();
        callGate.open();
        return this;
    }

    /** From now on every call waits until {@link #letGo}. Only for stores with lanes: others would hold up the test. */
    public FaultyStore hold() {
        callGate.close();
        return this;
    }

    /** Lets the calls that are held up go on, and further ones through. */
    public FaultyStore letGo() {
        callGate.open();
        return this;
    }

    /** From now on every call waits for {@code delay} on the clock of {@code hostEnvironment}. Only for stores with lanes. */
    public FaultyStore slowDown(HostEnvironment hostEnvironment, Duration delay) {
        callGate.slowDown(hostEnvironment, delay);
        return this;
    }

    /** How many calls wait now, held up or slow. */
    public int waiting() {
        return callGate.waiting();
    }

    /**
     * Applies what was {@linkplain StoreFault#DELIVER_LATE late}, in the order in which it was sent.
     *
     * @return what became of each change; nobody but the test hears of it
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
        callGate.pass();
        for (Change change : batch) {
            if (rejected.contains(change.key())) {
                throw StoreException.rejected("faulty: the row of " + change.key() + " is bad", null);
            }
        }
        StoreFault storeFault = plan.next(Call.APPLY);
        switch (storeFault) {
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
        throw storeFault.exception();
    }

    @Override
    public List<Optional<StoredEntry>> read(List<Key> keys) {
        reads.incrementAndGet();
        return ask(Call.READ, () -> delegate.read(keys));
    }

    @Override
    public ScanPage scan(EntryScan entryScan) {
        scans.incrementAndGet();
        return ask(Call.SCAN, () -> delegate.scan(entryScan));
    }

    private <T> T ask(Call call, Supplier<T> question) {
        callGate.pass();
        StoreFault storeFault = plan.next(call);
        if (storeFault == StoreFault.NONE) {
            return question.get();
        }
        throw storeFault.exception();
    }

    /** Those of the store inside; but a call that is {@linkplain #hold held up} takes as long as the test likes. */
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
        public Registration onFreed(Key key, Runnable wake) {
            return notifier.onFreed(key, wake);
        }
    }
}
