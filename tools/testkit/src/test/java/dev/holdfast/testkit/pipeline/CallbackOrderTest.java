package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.testkit.Eventually;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that callbacks run in order within one lease and do not wait for other leases; on real threads. */
class CallbackOrderTest {
    private final Leases leases = Holdfast.open("memory:", LeasesOptions.defaults());
    private final List<String> called = new CopyOnWriteArrayList<>();
    private final CountDownLatch go = new CountDownLatch(1);

    @AfterEach
    void close() {
        go.countDown();
        leases.close();
    }

    private Lease acquire(String name) {
        return leases.tryAcquire(Key.of(name), AcquireOptions.defaults()).orThrow();
    }

    private void lose(Lease lease) {
        leases.evict(lease.key(), "for the test");
        assertThat(lease.renewAsync().toCompletableFuture()).isCompletedExceptionally();
    }

    private void block() {
        try {
            go.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aBlockingCallbackDelaysNoOtherLease() {
        Lease blocked = acquire("blocked").onLost(reason -> block());
        Lease other = acquire("other").onLost(reason -> called.add("other"));

        lose(blocked);
        lose(other);

        Eventually.until(() -> called.contains("other"));
    }

    @Test
    void theCallbacksOfOneLeaseRunInOrder() {
        Lease lease = acquire("lease");
        lease.onLost(reason -> {
            block();
            called.add("0");
        });
        for (int i = 1; i < 50; i++) {
            String number = Integer.toString(i);
            lease.onLost(reason -> called.add(number));
        }

        lose(lease);
        go.countDown();

        Eventually.until(() -> called.size() == 50);
        assertThat(called).isSortedAccordingTo(Comparator.comparingInt(Integer::parseInt));
    }
}
