package dev.holdfast.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A runner that starts many threads at the same moment. */
public final class ThreadCrowd {
    private static final int PATIENCE_SECONDS = 60;

    private ThreadCrowd() {}

    /** The work of one thread. */
    public interface Member<T> {
        T act(int number) throws Exception;
    }

    /** Runs {@code member} on {@code size} threads. Returns their results, or throws if one of them fails. */
    public static <T> List<T> of(int size, Member<T> member) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(size);
        CountDownLatch start = new CountDownLatch(1);
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                int number = i;
                Callable<T> task = () -> {
                    start.await();
                    return member.act(number);
                };
                futures.add(threads.submit(task));
            }
            start.countDown();
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
