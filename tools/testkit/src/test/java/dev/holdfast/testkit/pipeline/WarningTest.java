package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the expiry warnings of leases under an anchor: they end with their lease, not with the anchor. */
class WarningTest {
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final Duration BEFORE = Duration.ofSeconds(10);

    private final ManualClock runtime = new ManualClock();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime));
    private final Leases leases = Holdfast.open(
            store, LeasesOptions.builder().holder("ann").environment(runtime).build());
    private final List<String> warned = new ArrayList<>();

    @AfterEach
    void close() {
        store.heal();
        leases.close();
        runtime.close();
    }

    private Lease under(Anchor anchor, String name) {
        return leases.tryAcquire(Key.of(name), AcquireOptions.defaults().under(anchor))
                .orThrow()
                .onExpiring(BEFORE, () -> warned.add(name));
    }

    @Test
    void onlyHeldLeasesAreWarnedOfTheEndOfTheirAnchor() {
        Anchor anchor = leases.anchor("worker", TERM);
        under(anchor, "kept");
        under(anchor, "released").release();
        under(anchor, "done").done();
        Lease ended = under(anchor, "ended");
        ended.release();
        ended.onExpiring(BEFORE, () -> warned.add("registered after the end"));
        store.always(Call.APPLY, StoreFault.FAIL);

        runtime.advance(TERM.minusMillis(1));

        assertThat(warned).containsExactly("kept");
    }
}
