package dev.holdfast.postgres;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Process that acquires new keys and finishes them, and prints each, until it is killed. */
final class CrashClient {
    private static final int CALLERS = 16;

    private CrashClient() {}

    /** Prints each acknowledgement immediately: {@code granted name fence} and {@code done name fence}. */
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
            print("granted", lease);
            if (i % 2 == 0) {
                lease.done();
                print("done", lease);
            }
        }
    }

    private static void print(String state, Lease lease) {
        PrintStream out = System.out;
        synchronized (out) {
            out.print(state + " " + lease.key().name() + " " + lease.fence().value() + "\n");
            out.flush();
        }
    }
}
