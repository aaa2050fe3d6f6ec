package dev.holdfast.sqlite.process;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Process with several clients, each with its own connections, that claim one key at the same moment. It prints how
 * many got it.
 */
final class Claimants {
    private Claimants() {}

    /** Arguments: URL, number of clients. They claim when the process reads a line. */
    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(arguments[1]);
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Callable<Leases>> openings = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                openings.add(() -> Holdfast.open(arguments[0]));
            }
            // Not closed before the process ends, because closing would release the granted lease.
            List<Leases> clients = all(threads.invokeAll(openings));
            System.out.println("ready");
            System.in.read();
            long startNanos = System.nanoTime();
            List<Callable<Boolean>> claims = new ArrayList<>();
            clients.forEach(
                    client -> claims.add(() -> client.tryAcquire("prize").isGranted()));
            long granted = all(threads.invokeAll(claims)).stream()
                    .filter(Boolean::booleanValue)
                    .count();
            System.out.println("granted " + granted + " "
                    + Duration.ofNanos(System.nanoTime() - startNanos).toMillis());
        } finally {
            threads.shutdown();
        }
    }

    private static <T> List<T> all(List<Future<T>> futures) throws Exception {
        List<T> results = new ArrayList<>();
        for (Future<T> future : futures) {
            results.add(future.get());
        }
        return results;
    }
}
