package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.service.LeaseService;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(HoldfastExtension.class)
class HoldfastExtensionTest {
    private static @Nullable Lease left;
    private @Nullable Leases before;

    @BeforeEach
    void remember(Leases leases) {
        before = leases;
    }

    @AfterAll
    static void leasesLeftHeldAreReleased() {
        assertThat(left).isNotNull();
        assertThat(left.isHeld()).isFalse();
    }

    @Test
    void aCrashedWorkerIsReplaced(Leases leases, ManualClock time) {
        leases.tryAcquire(Key.of("report"), AcquireOptions.defaults().autoRenew(false));

        time.advance(Duration.ofSeconds(31));

        assertThat(leases.tryAcquire("report").isGranted()).isTrue();
    }

    @Test
    void leasesAreRenewedAsTimeIsAdvanced(ManualClock time, Leases leases) {
        left = leases.tryAcquire("report").orThrow();

        time.advance(Duration.ofHours(1));

        assertThat(left.isHeld()).isTrue();
        assertThat(LeaseService.of(leases).environment()).isSameAs(time);
    }

    @Test
    void theMethodsOfOneTestShareOneClient(Leases leases) {
        assertThat(before).isSameAs(leases);
        assertThat(leases.get(Key.of("report"))).isEmpty();
    }
}
