package dev.holdfast.environment;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * An asynchronous store on top of a blocking one. Each lane has its own thread; reads share one. A store that never
 * blocks, and a client without threads, run on the calling thread. So does a single change, if its caller waits for it
 * and the store bounds its calls: a thread that is stuck in a store could not be answered in time.
 */
public final class BlockingStoreAdapter implements AsyncStore {
    private final LeaseStore store;
    private final List<ExecutorService> lanes;
    private final Optional<ExecutorService> readers;
    private final boolean callersMayRun;

    private BlockingStoreAdapter(LeaseStore store, int lanes, boolean callersMayRun) {
        this.store = store;
        this.callersMayRun = callersMayRun;
        this.lanes = IntStream.range(0, lanes)
                .mapToObj(lane -> thread("holdfast-lane-" + lane))
                .toList();
        this.readers = lanes == 0 ? Optional.empty() : Optional.of(thread("holdfast-reader"));
    }

    /**
     * Runs {@code store} on a thread for each of its lanes.
     *
     * @param patience the longest time that a caller waits for an answer
     */
    public static BlockingStoreAdapter threaded(LeaseStore store, Duration patience) {
        boolean bounded = store.traits().longestCall().compareTo(patience) <= 0;
        return new BlockingStoreAdapter(store, store.traits().lanes(), bounded);
    }

    /** Runs {@code store} on the threads of its callers. */
    public static BlockingStoreAdapter inline(LeaseStore store) {
        return new BlockingStoreAdapter(store, 0, true);
    }

    private static ExecutorService thread(String name) {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes, boolean callerWaits) {
        boolean onCaller = lanes.isEmpty() || (callersMayRun && callerWaits);
        return onCaller ? here(() -> store.apply(changes)) : on(lanes.get(lane), () -> store.apply(changes));
    }

    @Override
    public CompletableFuture<List<Optional<StoredEntry>>> read(List<Key> keys) {
        return readers.map(thread -> on(thread, () -> store.read(keys))).orElseGet(() -> here(() -> store.read(keys)));
    }

    @Override
    public CompletableFuture<ScanPage> scan(EntryScan entryScan) {
        return readers.map(thread -> on(thread, () -> store.scan(entryScan)))
                .orElseGet(() -> here(() -> store.scan(entryScan)));
    }

    private static <T> CompletableFuture<T> here(Supplier<T> call) {
        CompletableFuture<T> future = new CompletableFuture<>();
        run(call, future);
        return future;
    }

    private static <T> CompletableFuture<T> on(ExecutorService thread, Supplier<T> call) {
        CompletableFuture<T> future = new CompletableFuture<>();
        try {
            thread.execute(() -> run(call, future));
        } catch (RejectedExecutionException e) {
            future.completeExceptionally(StoreException.rejected("the client is closed", e));
        }
        return future;
    }

    @SuppressWarnings("IllegalCatch") // Anything that a store throws must reach the waiting callers.
    private static <T> void run(Supplier<T> call, CompletableFuture<T> future) {
        T result;
        try {
            result = call.get();
        } catch (Throwable e) {
            future.completeExceptionally(e);
            return;
        }
        future.complete(result);
    }

    @Override
    public Optional<ChangeNotifier> notifier() {
        return store instanceof ChangeNotifier notifier ? Optional.of(notifier) : Optional.empty();
    }

    /** Finishes the calls under way, rejects further ones, and closes the store. */
    @Override
    public void close() {
        lanes.forEach(ExecutorService::shutdown);
        readers.ifPresent(ExecutorService::shutdown);
        store.close();
    }
}
