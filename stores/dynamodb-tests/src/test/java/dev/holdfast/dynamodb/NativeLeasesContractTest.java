package dev.holdfast.dynamodb;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.leases.LeasesContract;
import java.time.Duration;

/** The lease contract, each client with its own store, as on separate machines, in manual time. */
class NativeLeasesContractTest extends LeasesContract {
    private final ManualClock runtime = new ManualClock();
    private final String url = Tables.create();

    @Override
    public Leases open(String holder) {
        return Holdfast.open(
                new InlineStore(Tables.open(url, runtime)), options(holder).build());
    }

    @Override
    public Leases openWithoutThreads(String holder) {
        return Holdfast.open(
                Tables.open(url, runtime), options(holder).withoutThreads().build());
    }

    private LeasesOptions.Builder options(String holder) {
        return LeasesOptions.builder().holder(holder).environment(runtime);
    }

    @Override
    public void elapse(Duration time) {
        runtime.advance(time);
    }
}
