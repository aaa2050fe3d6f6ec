package dev.holdfast.client;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.testkit.LeasesContract;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The contract through the wire, on real time and real connections. */
abstract class RemoteContract extends LeasesContract {
    /** The servers; each client begins with one of them. */
    abstract String url();

    @Override
    protected Leases open(String holder) {
        return Holdfast.open(url(), LeasesOptions.builder().holder(holder).build());
    }

    @Override
    protected Leases openWithoutThreads(String holder) {
        return Holdfast.open(
                url(), LeasesOptions.builder().holder(holder).withoutThreads().build());
    }

    @Override
    protected void elapse(Duration time) {
        long deadlineNanos = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = deadlineNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    protected Duration term() {
        return Duration.ofSeconds(3);
    }
}
