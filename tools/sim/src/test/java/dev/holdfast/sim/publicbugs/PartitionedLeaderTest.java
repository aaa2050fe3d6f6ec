package dev.holdfast.sim.publicbugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaderElection;
import dev.holdfast.Lease;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.sim.world.SimProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Two leaders after a partition: Curator #1211 (and #964). There, a leader that reconnected after its session had ended stayed leader,
 * while another one was elected. Here, a leader steps down by its own clock, without hearing from the store.
 */
class PartitionedLeaderTest {
    private static final Key KEY = Key.of("sim", "leader");
    private static final Duration TERM = Duration.ofSeconds(2);
    private static final Duration CUT_OFF = TERM.multipliedBy(4);
    private static final Duration END = Duration.ofSeconds(20);

    @Test
    void aLeaderThatIsCutOffHasSteppedDownBeforeAnotherLeads() {
        assertThat(ScenarioRuns.violations(PartitionedLeaderTest::play, SimulatedVariant.REAL))
                .isEmpty();
    }

    @Test
    void theScenarioReportsALeaderThatLeadsOnWithoutTheStore() {
        assertThat(ScenarioRuns.violations(PartitionedLeaderTest::play, BorrowedBug.LEADERSHIP_BEYOND_ITS_TERM))
                .isNotEmpty()
                .allMatch(violation -> violation.contains("one leader at a time"));
    }

    private static void play(Simulation simulation) {
        Candidates candidates = new Candidates();
        simulation.checks().add(candidates);
        SimProcess first = simulation.process("first", simulation.wrongClock(), true, candidates::contend);
        SimProcess second = simulation.process("second", simulation.wrongClock(), true, candidates::contend);
        first.start();
        at(simulation, 500, second::start);
        at(simulation, 1_000, () -> first.cutOff(CUT_OFF.toNanos()));
        at(
                simulation,
                8_000,
                () -> ScenarioRuns.require(
                        simulation,
                        candidates.leaders().contains("second"),
                        "6, another leads",
                        "the second does not lead"));
        simulation.watch(END);
        at(simulation, END.toMillis(), candidates::leave);
        simulation.pass(END.plusSeconds(1));
        simulation.end();
    }

    private static void at(Simulation simulation, long millis, Runnable action) {
        simulation.world().after(Duration.ofMillis(millis).toNanos(), action);
    }

    /** The candidates of one run, which checks all the time that at most one of them leads. */
    private static final class Candidates extends InvariantChecker {
        private final List<LeaderElection> elections = new ArrayList<>();
        private final List<String> names = new ArrayList<>();
        private final CompletableFuture<Void> end = new CompletableFuture<>();

        void contend(SimClient client) {
            names.add(client.process().name());
            elections.add(LeaderElection.of(client.leases(), KEY)
                    .options(AcquireOptions.defaults().term(TERM))
                    .lead(lease -> lead(client, lease)));
        }

        private void lead(SimClient client, Lease lease) throws InterruptedException {
            CompletableFuture<Void> over = new CompletableFuture<>();
            lease.onLost(reason -> over.complete(null));
            client.environment().await(CompletableFuture.anyOf(over, end));
        }

        List<String> leaders() {
            List<String> leaders = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                if (elections.get(i).isLeader()) {
                    leaders.add(names.get(i));
                }
            }
            return leaders;
        }

        @Override
        public void tick() {
            if (leaders().size() > 1) {
                violated("1, one leader at a time", leaders() + " lead");
            }
        }

        void leave() {
            end.complete(null);
        }
    }
}
