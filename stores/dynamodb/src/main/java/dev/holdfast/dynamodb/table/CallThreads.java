package dev.holdfast.dynamodb.table;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

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

    /** Makes a call for each element, the last on the calling thread, and returns the results in their order. */
    <T, R> List<R> run(List<T> elements, Function<T, R> call) {
        List<CompletableFuture<R>> others = new ArrayList<>();
        for (T element : elements.subList(0, Math.max(0, elements.size() - 1))) {
            others.add(CompletableFuture.supplyAsync(() -> call.apply(element), threads));
        }
        List<R> own = elements.isEmpty() ? List.of() : List.of(call.apply(elements.get(elements.size() - 1)));
        List<R> all = new ArrayList<>();
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
