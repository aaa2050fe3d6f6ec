package dev.holdfast.chaos.backend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** A trivial client of a backend: it acquires a lease, suffers a fault of each kind, and acquires another one. */
final class BackendDrill {
    /** The lasting faults of proxies have tests of their own. With all kinds, a drill takes about a minute. */
    private static final boolean ALL_KINDS = Boolean.getBoolean("holdfast.chaos.drill.all");

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private static final LeasesOptions HURRIED = LeasesOptions.builder()
            .operationTimeout(Duration.ofSeconds(1))
            .settleTimeout(Duration.ofSeconds(1))
            .build();

    private BackendDrill() {}

    static void run(String name, Path folder) throws Exception {
        try (ChaosBackend backend = ChaosBackends.start(name, folder, 2);
                Leases leases = Holdfast.open(backend.url(1), HURRIED);
                Leases others = Holdfast.open(backend.url(2), HURRIED)) {
            Random random = new Random(7);
            int round = 0;
            for (ChaosFault fault : oneOfEachKind(backend).values()) {
                String key = "k" + round++;
                acquire(leases, key, fault);
                fault.strike(random);
                try {
                    // Under the fault any outcome is right, if there is one.
                    leases.tryAcquire("during-" + key);
                } catch (StoreException e) {
                    assertThat(e).as(fault.name()).hasMessageNotContaining("bug");
                } finally {
                    fault.heal();
                }
                acquire(leases, "after-" + key, fault);
                acquire(others, "others-" + key, fault);
                assertThat(others.tryAcquire(key).isGranted())
                        .as("%s is lost after: %s", key, fault.name())
                        .isFalse();
            }
        }
    }

    /** Calls may fail for a moment after a fault, but not for ever. */
    private static void acquire(Leases leases, String key, ChaosFault after) throws Exception {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                leases.acquire(Key.of(key), AcquireOptions.defaults(), Duration.ofSeconds(10))
                        .orThrow();
                return;
            } catch (StoreException e) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new AssertionError(after.name() + " was healed, and the store still fails", e);
                }
            }
        }
    }

    private static Map<String, ChaosFault> oneOfEachKind(ChaosBackend backend) {
        Map<String, ChaosFault> faults = new LinkedHashMap<>();
        backend.faults().stream()
                .filter(fault -> ALL_KINDS || !(fault instanceof LastingLinkFault))
                .forEach(fault -> faults.putIfAbsent(fault.kind(), fault));
        return faults;
    }
}
