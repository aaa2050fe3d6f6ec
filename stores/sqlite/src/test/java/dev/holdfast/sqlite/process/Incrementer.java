package dev.holdfast.sqlite.process;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Process that repeatedly increments the number in a plain file, under a lease. It prints the count and its longest
 * wait.
 */
final class Incrementer {
    private static final Key KEY = Key.of("counter");

    /** Longer than any pause of a busy machine: an overdue holder would lose updates in a file without fences. */
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().term(Duration.ofSeconds(30));

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final long PAUSE_NANOS = 1_000_000;

    private Incrementer() {}

    /** Arguments: URL, path of the counter, seconds, {@code wait} or {@code ask}. Starts when it reads a line. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path counter = Path.of(arguments[1]);
        Duration life = Duration.ofSeconds(Long.parseLong(arguments[2]));
        boolean waits = arguments[3].equals("wait");
        long increments = 0;
        long longestNanos = 0;
        try (Leases leases = Holdfast.open(arguments[0])) {
            System.out.println("ready");
            System.in.read();
            long startNanos = System.nanoTime();
            while (System.nanoTime() - startNanos < life.toNanos()) {
                long requestNanos = System.nanoTime();
                try (Lease lease = waits ? waitInQueue(leases) : retry(leases)) {
                    longestNanos = Math.max(longestNanos, System.nanoTime() - requestNanos);
                    long before = Long.parseLong(Files.readString(counter));
                    Files.writeString(counter, Long.toString(before + 1));
                    lease.checkHeld();
                    increments++;
                }
            }
        }
        System.out.println("increments " + increments + " "
                + Duration.ofNanos(longestNanos).toMillis());
    }

    private static Lease waitInQueue(Leases leases) throws InterruptedException {
        return leases.acquire(KEY, OPTIONS, PATIENCE).orThrow();
    }

    /** Retries without queueing. Clients in a wait queue would leave the others alone most of the time. */
    private static Lease retry(Leases leases) {
        while (true) {
            Optional<Lease> granted = leases.tryAcquire(KEY, OPTIONS).granted();
            if (granted.isPresent()) {
                return granted.get();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
