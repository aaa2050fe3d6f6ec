package dev.holdfast.micrometer;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaderElection;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.Once;
import dev.holdfast.fleet.Fleet;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Fleets, elections and process-once accept an observed client as their own. */
class ObservedLayersTest {
    private static final Key KEY = Key.of("report");

    private final TestObservationRegistry registry = TestObservationRegistry.create();
    private final Leases leases = ObservedLeases.of(Holdfast.open("memory:"), registry);

    @AfterEach
    void close() {
        leases.close();
    }

    @Test
    void aFleetWorksOnItsUnits() throws Exception {
        CountDownLatch assigned = new CountDownLatch(2);
        try (Fleet fleet = Fleet.of(leases, "orders")
                .onAssigned(unit -> assigned.countDown())
                .onRevoked(unit -> {})
                .join()) {
            fleet.units().create("one", "two");
            assertThat(assigned.await(60, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(registry).hasAnObservationWithAKeyName("holdfast.fence");
    }

    @Test
    void anElectionHasALeader() throws Exception {
        CountDownLatch elected = new CountDownLatch(1);
        try (LeaderElection election = LeaderElection.of(leases, KEY).lead(lease -> {
            elected.countDown();
            Thread.sleep(60_000); // until it is interrupted by the end of the election
        })) {
            assertThat(elected.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(election.isLeader()).isTrue();
        }

        assertThat(registry).hasAnObservationWithAKeyValue("outcome", "granted");
    }

    @Test
    void aKeyIsProcessedOnce() throws Exception {
        Once once = Once.with(leases);

        assertThat(once.call(KEY, lease -> 42)).isEqualTo(new Once.Result.Ran<>(42));
        assertThat(once.call(KEY, lease -> 43)).isInstanceOf(Once.Result.AlreadyDone.class);

        assertThat(leases.get(KEY).orElseThrow().state()).isEqualTo(LeaseState.DONE);
        assertThat(registry)
                .hasNumberOfObservationsEqualTo(2)
                .hasAnObservationWithAKeyValue("outcome", "granted")
                .hasAnObservationWithAKeyValue("outcome", "done");
    }

    @Test
    void workUnderALeaseIsObserved() throws Exception {
        assertThat(leases.<Boolean>call("report", lease -> lease.isHeld())).isTrue();

        assertThat(registry).hasNumberOfObservationsEqualTo(1);
    }
}
