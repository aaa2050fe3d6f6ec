package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.Once;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(HoldfastExtension.class)
class OnceTest {
    private static final Key FILE = Key.of("files", "2026-01-01.csv");

    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void anActionWithoutAResultRunsOnce(Leases leases) throws Exception {
        Once once = Once.with(leases);

        assertThat(once.run(FILE, lease -> runs.set(runs.get() + 1))).isInstanceOf(Once.Result.Ran.class);
        assertThat(once.run(FILE, lease -> runs.set(runs.get() + 1))).isInstanceOf(Once.Result.AlreadyDone.class);

        assertThat(runs).hasValue(1);
    }

    @Test
    void workIsDoneOnce(Leases leases) throws Exception {
        Once once = Once.with(leases);

        assertThat(once.call(FILE, lease -> runs.incrementAndGet())).isEqualTo(new Once.Result.Ran<>(1));
        assertThat(once.call(FILE, lease -> runs.incrementAndGet())).isInstanceOf(Once.Result.AlreadyDone.class);

        assertThat(runs).hasValue(1);
        assertThat(leases.get(FILE).orElseThrow().state()).isEqualTo(LeaseState.DONE);
    }

    @Test
    void workInProgressElsewhereIsSkipped(Leases leases) throws Exception {
        leases.tryAcquire(FILE, AcquireOptions.defaults().holder("bob"));

        Once.Result<Integer> result = Once.with(leases).call(FILE, lease -> runs.incrementAndGet());

        assertThat(result).isInstanceOf(Once.Result.HeldElsewhere.class);
        assertThat(((Once.Result.HeldElsewhere<Integer>) result).held().holder())
                .isEqualTo(Holder.of("bob"));
        assertThat(runs).hasValue(0);
    }

    @Test
    void workThatFailsLeavesTheKeyFree(Leases leases) throws Exception {
        Once once = Once.with(leases);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> once.run(FILE, lease -> {
                    throw new IOException("no disk");
                }));

        assertThat(leases.get(FILE).orElseThrow().state()).isEqualTo(LeaseState.FREE);
        assertThat(once.call(FILE, lease -> runs.incrementAndGet())).isInstanceOf(Once.Result.Ran.class);
    }

    @Test
    void workMayTakeLongerThanATerm(Leases leases, ManualClock time) throws Exception {
        Once.Result<Boolean> result = Once.with(leases).call(FILE, lease -> {
            time.advance(Duration.ofMinutes(10));
            return lease.isHeld();
        });

        assertThat(result).isEqualTo(new Once.Result.Ran<>(true));
    }

    @Test
    void workWithAnExpiredLeaseIsMarkedDoneIfTheKeyWasNotTaken(Leases leases, ManualClock time) throws Exception {
        Once once = Once.with(leases, AcquireOptions.defaults().autoRenew(false));

        once.call(FILE, lease -> {
            time.advance(Duration.ofMinutes(10));
            return lease.isHeld();
        });

        assertThat(leases.get(FILE).orElseThrow().state()).isEqualTo(LeaseState.DONE);
    }

    @Test
    void workTakenOverByAnotherHolderIsNotMarkedDone(Leases leases, ManualClock time) {
        Once once = Once.with(leases, AcquireOptions.defaults().autoRenew(false));

        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> once.call(FILE, lease -> {
                    time.advance(Duration.ofMinutes(10));
                    return leases.tryAcquire(FILE, AcquireOptions.defaults()).orThrow();
                }));

        assertThat(leases.get(FILE).orElseThrow().state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void oneOfThirtyTwoThreadsDoesTheWork(Leases leases) throws Exception {
        List<Once.Result<Lease>> results = ThreadCrowd.of(
                32,
                number -> Once.with(leases).call(FILE, lease -> {
                    runs.incrementAndGet();
                    return lease;
                }));

        assertThat(runs).hasValue(1);
        assertThat(results).filteredOn(it -> it instanceof Once.Result.Ran).hasSize(1);
    }
}
