package dev.holdfast.testkit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.leases.LeasesContract;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The contract on manual time, where it is exact. */
class MemoryLeasesContractTest extends LeasesContract {
    private final ManualClock runtime = new ManualClock();
    private final MemoryStore store = new MemoryStore(runtime);

    @Override
    public Leases open(String holder) {
        return Holdfast.open(store, options(holder).build());
    }

    @Override
    public Leases openWithoutThreads(String holder) {
        return Holdfast.open(store, options(holder).withoutThreads().build());
    }

    private LeasesOptions.Builder options(String holder) {
        return LeasesOptions.builder().holder(holder).environment(runtime);
    }

    @Override
    public void elapse(Duration time) {
        runtime.advance(time);
    }

    @Test
    void aTakeoverNeedsExactlyTheTermAndTheMargin() {
        Key key = Key.of("exact");
        AcquireOptions options = AcquireOptions.defaults().term(term()).autoRenew(false);
        try (Leases holder = open("holder");
                Leases taker = open("taker")) {
            holder.tryAcquire(key, options).orThrow();
            elapse(term().plus(term().dividedBy(1000)).minusNanos(1));

            AcquireResult refused = taker.tryAcquire(key, options);
            assertThat(refused).isInstanceOf(AcquireResult.HeldByAnother.class);
            assertThat(((AcquireResult.HeldByAnother) refused).remaining()).isEqualTo(Duration.ofNanos(1));

            elapse(Duration.ofNanos(1));
            assertThat(taker.tryAcquire(key, options).isGranted()).isTrue();
        }
    }
}
