package dev.holdfast.internal.holding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class UnreachableLeasesTest {
    private final List<Key> reported = new CopyOnWriteArrayList<>();
    private final UnreachableLeases unreachable = new UnreachableLeases(reported::add);

    /** Acquires a key, and keeps no reference to the lease. */
    private void acquireAndForget(Leases leases, String name) {
        unreachable.watch((LeaseHandle) leases.tryAcquire(name).orThrow());
    }

    private void collectUntilReported(int count) throws InterruptedException {
        collect(500, count);
    }

    private void collect(int rounds, int count) throws InterruptedException {
        for (int i = 0; i < rounds && reported.size() < count; i++) {
            System.gc();
            Thread.sleep(10);
            unreachable.check();
        }
    }

    @Test
    void aLeaseThatBecomesUnreachableIsReportedOnceAndStaysHeld() throws Exception {
        try (Leases leases = Holdfast.open("memory:")) {
            acquireAndForget(leases, "forgotten");

            collectUntilReported(1);
            collect(20, 2);

            assertThat(reported).containsExactly(Key.of("forgotten"));
            assertThat(leases.get(Key.of("forgotten")).orElseThrow().isHeld()).isTrue();
        }
    }

    @Test
    void aReachableLeaseAndAClosedOneAreNotReported() throws Exception {
        try (Leases leases = Holdfast.open("memory:");
                Lease reachable = leases.tryAcquire("reachable").orThrow()) {
            unreachable.watch((LeaseHandle) reachable);
            try (Lease closed = leases.tryAcquire("closed").orThrow()) {
                unreachable.watch((LeaseHandle) closed);
            }
            acquireAndForget(leases, "forgotten");

            collectUntilReported(1);

            assertThat(reported).containsExactly(Key.of("forgotten"));
        }
    }
}
