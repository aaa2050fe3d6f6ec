package dev.holdfast.sqlite.process;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import java.io.PrintStream;
import java.time.Duration;

/** Process that acquires and finishes keys on many threads, and prints each acknowledgement, until it is killed. */
final class CrashingWorker {
    static final int THREADS = 16;
    static final int SHARED = 4;

    /** Limit in case no test kills it. */
    private static final Duration LIFE = Duration.ofSeconds(30);

    private final Leases leases;
    private final String round;
    private final PrintStream out;

    private CrashingWorker(Leases leases, String round, PrintStream out) {
        this.leases = leases;
        this.round = round;
        this.out = out;
    }

    /** Arguments: URL, number of the round. */
    public static void main(String[] arguments) throws InterruptedException {
        Leases leases = Holdfast.open(
                arguments[0], LeasesOptions.builder().holder("worker").build());
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            // System.out flushes each line, and writes it whole.
            CrashingWorker worker = new CrashingWorker(leases, arguments[1], System.out);
            Thread thread = new Thread(() -> worker.work(number));
            thread.setDaemon(true);
            thread.start();
        }
        Thread.sleep(LIFE.toMillis());
    }

    private void work(int number) {
        AcquireOptions options = AcquireOptions.defaults().autoRenew(false);
        for (int i = 0; ; i++) {
            Lease lease = leases.tryAcquire(Key.of("round-" + round, number + "-" + i), options)
                    .orThrow();
            print("granted", lease);
            lease.done();
            print("done", lease);
            // Some keys are granted repeatedly, so that rows and fences are overwritten.
            leases.tryAcquire(Key.of("shared", String.valueOf(i % SHARED)), options)
                    .granted()
                    .ifPresent(this::shareAndRelease);
        }
    }

    private void shareAndRelease(Lease lease) {
        print("granted", lease);
        lease.release();
    }

    private void print(String word, Lease lease) {
        out.println(word + " " + lease.key().namespace() + " " + lease.key().name() + " " + lease.fence());
    }
}
