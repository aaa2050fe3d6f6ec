package dev.holdfast.postgres;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A process that acquires new keys and finishes them, says so, and goes on until it is killed. */
final class CrashClient {
    private static final int CALLERS = 16;

    private CrashClient() {}

    /** What it was told is printed at once: {@code granted name fence} and {@code done name fence}. */
    public static void main(String[] args) throws InterruptedException {
        String url = args[0];
        String namespace = args[1];
        Leases leases = Holdfast.open(url);
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int caller = i;
            Thread thread = new Thread(() -> work(leases, namespace, caller));
            thread.start();
            callers.add(thread);
        }
        for (Thread thread : callers) {
            thread.join();
        }
    }

    private static void work(Leases leases, String namespace, int caller) {
        for (int i = 0; ; i++) {
            Key key = Key.of(namespace, caller + "-" + i);
            Lease lease = leases.tryAcquire(key, AcquireOptions.defaults()).orThrow();
            tell("granted", lease);
            if (i % 2 == 0) {
                lease.done();
                tell("done", lease);
            }
        }
    }

    private static void tell(String what, Lease lease) {
        PrintStream out = System.out;
        synchronized (out) {
            out.print(what + " " + lease.key().name() + " " + lease.fence().value() + "\n");
            out.flush();
        }
    }
}
