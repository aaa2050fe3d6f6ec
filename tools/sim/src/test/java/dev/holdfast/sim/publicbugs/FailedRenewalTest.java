package dev.holdfast.sim.publicbugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LostReason;
import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.world.SimProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Silent loss: Redisson #4698. There, a renewal that fails is logged, and the application cannot know. Here, the application is warned
 * while there is time, and its callback gets the reason before the next holder is granted the key.
 */
class FailedRenewalTest {
    private static final Key KEY = Key.of("sim", "key");
    private static final Duration TERM = Duration.ofSeconds(3);
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().term(TERM);
    private static final Duration LONG = Duration.ofSeconds(15);

    @Test
    void aHolderIsWarnedAndThenNotifiedBeforeTheKeyPassesOn() {
        assertThat(ScenarioRuns.violations(FailedRenewalTest::play, SimulatedVariant.REAL))
                .isEmpty();
    }

    @Test
    void theScenarioReportsALossThatStaysInsideTheClient() {
        assertThat(ScenarioRuns.violations(FailedRenewalTest::play, BorrowedBug.SILENT_LOSS))
                .isNotEmpty()
                .allMatch(violation -> violation.contains("a holder is notified of its loss"));
    }

    private static void play(Simulation simulation) {
        List<String> events = new ArrayList<>();
        SimProcess holder = simulation.process(
                "holder",
                simulation.wrongClock(),
                true,
                client -> client.acquire(
                        KEY, OPTIONS, Duration.ZERO, holding -> listen(holding.lease(), events), () -> {}));
        SimProcess next = simulation.process(
                "next",
                simulation.wrongClock(),
                true,
                client -> client.acquire(KEY, OPTIONS, LONG, holding -> events.add("passed on"), () -> {}));
        holder.start();
        simulation.pass(Duration.ofMillis(100));
        next.start();
        simulation.watch(LONG);
        simulation.pass(Duration.ofSeconds(4));
        ScenarioRuns.require(simulation, events.isEmpty(), "6, a lease is renewed", "before the fault: " + events);
        holder.cutOff(LONG.toNanos());
        simulation.pass(LONG);
        ScenarioRuns.require(
                simulation,
                events.equals(List.of("warned", LostReason.STORE_UNREACHABLE.name(), "passed on")),
                "5, a holder is notified of its loss",
                "it saw " + events);
        simulation.end();
    }

    private static void listen(Lease lease, List<String> events) {
        lease.onExpiring(Duration.ofSeconds(1), () -> events.add("warned"));
        lease.onLost(reason -> events.add(reason.name()));
    }
}
