package dev.holdfast.sim.publicbugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.sim.world.FaultPlan;
import dev.holdfast.sim.world.FaultPlan.CallFault;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.store.Entry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A watchdog that outlives the unlock: Redisson #7272. There, the renewal of a lock could begin after its release, and then kept the
 * key for ever. Here, a renewal is conditional on the version that it read, so a late one changes nothing.
 */
class LateRenewalTest {
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final Duration STEP = Duration.ofSeconds(10);

    @Test
    void aRenewalThatArrivesAfterTheReleaseChangesNothing() {
        assertThat(lateRenewals(SimulatedVariant.REAL)).isEmpty();
    }

    @Test
    void theScenarioReportsARenewalThatRevivesAReleasedKey() {
        assertThat(lateRenewals(BorrowedBug.UNCONDITIONAL_RENEWAL))
                .isNotEmpty()
                .allMatch(violation -> violation.contains("a released key stays free")
                        || violation.contains("fences grow with every grant"));
    }

    @Test
    void anAcquireThatIsCancelledAtAnyMomentLeavesNoKeyHeld() {
        assertThat(ScenarioRuns.violations(LateRenewalTest::cancelAtEveryMoment, SimulatedVariant.REAL))
                .isEmpty();
    }

    @Test
    void theScenarioReportsACancelledGrantThatStaysHeld() {
        assertThat(ScenarioRuns.violations(LateRenewalTest::cancelAtEveryMoment, BorrowedBug.RELEASE_IS_NOT_STORED))
                .isNotEmpty()
                .allMatch(violation -> violation.contains("a cancelled grant is released"));
    }

    /** The first renewal is in the network for four seconds; the holder releases the key before it arrives. */
    private static List<String> lateRenewals(SimulatedVariant variant) {
        return LongStream.rangeClosed(1, ScenarioRuns.SEEDS)
                .mapToObj(seed -> Simulation.run(seed, LateRenewalTest::releaseSoon, variant, lateAt(STEP))
                        .violation())
                .filter(Objects::nonNull)
                .map(String::valueOf)
                .toList();
    }

    private static FaultPlan lateAt(Duration time) {
        long window = Duration.ofMillis(300).toNanos();
        return caller -> Math.abs(caller.world().nowNanos() - time.toNanos()) < window
                ? CallFault.REQUEST_VERY_LATE
                : CallFault.NONE;
    }

    private static void releaseSoon(Simulation simulation) {
        Key key = Key.of("sim", "key");
        AtomicBoolean released = new AtomicBoolean();
        simulation.checks().add(new InvariantChecker() {
            @Override
            public void changed(Key changed, @Nullable Entry before, @Nullable Entry after) {
                if (released.get() && after != null && after.state() == LeaseState.HELD) {
                    violated("14, a released key stays free", key + " is held again");
                }
            }
        });
        SimProcess holder = simulation.process("holder", simulation.wrongClock(), true, client -> {
            client.acquire(
                    key,
                    AcquireOptions.defaults().term(TERM),
                    Duration.ZERO,
                    holding -> client.after(
                            STEP.plusMillis(1500), () -> client.release(holding, () -> released.set(true))),
                    () -> {});
        });
        holder.start();
        simulation.watch(TERM);
        simulation.pass(TERM);
        ScenarioRuns.require(simulation, released.get(), "6, a release ends", "the release has not ended");
        simulation.end();
    }

    private static void cancelAtEveryMoment(Simulation simulation) {
        List<Key> keys =
                IntStream.range(0, 60).mapToObj(i -> Key.of("sim", "key-" + i)).toList();
        SimProcess holder = simulation.process("holder", simulation.wrongClock(), true, client -> {
            for (int i = 0; i < keys.size(); i++) {
                cancel(client, keys.get(i), Duration.ofNanos(i * 100_000L));
            }
        });
        holder.start();
        simulation.watch(TERM);
        simulation.pass(Duration.ofSeconds(5));
        for (Key key : keys) {
            Entry entry = simulation.store().current(key);
            ScenarioRuns.require(
                    simulation,
                    entry == null || entry.state() != LeaseState.HELD,
                    "14, a cancelled grant is released",
                    key + " is held");
        }
        simulation.end();
    }

    /** Cancels a request, as an interrupt does. A grant that was delivered before is released at the same moment. */
    private static void cancel(SimClient client, Key key, Duration delay) {
        Runnable cancel = client.acquire(
                key,
                AcquireOptions.defaults().term(TERM),
                Duration.ofSeconds(10),
                holding -> client.release(holding, () -> {}),
                () -> {});
        client.world().after(delay.toNanos(), cancel);
    }
}
