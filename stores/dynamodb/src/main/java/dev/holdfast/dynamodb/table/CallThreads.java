package dev.holdfast.dynamodb.table;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Threads that wait for responses, started when needed and ended when idle. A single call needs none of them. */
final class CallThreads implements AutoCloseable {
    private static final int IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads;

    CallThreads(int size) {
        // The number of callers bounds the queue, because each waits here for its own calls.
        this.threads = new ThreadPoolExecutor(
                size, size, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), CallThreads::daemon);
        threads.allowCoreThreadTimeOut(true);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "holdfast-dynamodb");
        thread.setDaemon(true);
        return thread;
    }

    /** Runs all calls, the last on the calling thread, and returns the outcome of each, in their order. */
    <T> List<TableAttempt<T>> run(List<Supplier<T>> calls) {
        List<CompletableFuture<TableAttempt<T>>> others = new ArrayList<>();
        for (Supplier<T> call : calls.subList(0, Math.max(0, calls.size() - 1))) {
            others.add(CompletableFuture.supplyAsync(() -> TableAttempt.of(call), threads));
        }
        List<TableAttempt<T>> own = calls.isEmpty() ? List.of() : List.of(TableAttempt.of(calls.get(calls.size() - 1)));
        List<TableAttempt<T>> all = new ArrayList<>();
        others.forEach(other -> all.add(other.join()));
        all.addAll(own);
        return all;
    }

    /** Lets running calls end. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
