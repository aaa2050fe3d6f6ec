package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaderElection;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.NotGrantedException;
import dev.holdfast.internal.memory.MemoryStore;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaderElectionTest {
    private static final Key KEY = Key.of("leader");
    private static final Duration TERM = AcquireOptions.DEFAULT_TERM.duration();

    private final ManualRuntime runtime = new ManualRuntime();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime));
    private final Leases ann = open("ann");
    private final Leases bob = open("bob");
    private final List<String> told = new ArrayList<>();

    private Leases open(String holder) {
        return Holdfast.open(
                store, LeasesOptions.builder().holder(holder).runtime(runtime).build());
    }

    private LeaderElection contend(Leases leases, String name) {
        LeaderElection election = LeaderElection.of(leases, KEY)
                .onElected(lease -> told.add(name + " elected"))
                .onLost(reason -> told.add(name + " lost " + reason))
                .onFailed(error -> told.add(name + " failed " + error.getClass().getSimpleName()))
                .start();
        runtime.advance(Duration.ZERO);
        return election;
    }

    @AfterEach
    void close() {
        ann.close();
        bob.close();
        runtime.close();
    }

    @Test
    void oneLeadsAndTheOtherWaits() {
        LeaderElection first = contend(ann, "ann");
        LeaderElection second = contend(bob, "bob");

        runtime.advance(Duration.ofHours(1));

        assertThat(first.isLeader()).isTrue();
        assertThat(first.leading()).map(Lease::key).contains(KEY);
        assertThat(second.isLeader()).isFalse();
        assertThat(told).containsExactly("ann elected");
    }

    @Test
    void whoGivesWayIsFollowedAtOnceAndNotToldOfALoss() {
        LeaderElection first = contend(ann, "ann");
        LeaderElection second = contend(bob, "bob");

        first.close();
        first.close();
        runtime.advance(Duration.ZERO);

        assertThat(second.isLeader()).isTrue();
        assertThat(first.isLeader()).isFalse();
        assertThat(told).containsExactly("ann elected", "bob elected");
        runtime.advance(Duration.ofHours(1));
        assertThat(first.isLeader()).isFalse();
    }

    @Test
    void aLeaderThatIsEvictedIsToldAndContendsAgain() {
        LeaderElection first = contend(ann, "ann");
        LeaderElection second = contend(bob, "bob");
        bob.evict(KEY, "it hangs");

        runtime.advance(TERM.dividedBy(2));
        assertThat(told).containsExactlyInAnyOrder("ann elected", "bob elected", "ann lost TAKEN");
        assertThat(second.isLeader()).isTrue();

        second.close();
        runtime.advance(Duration.ofSeconds(1));
        assertThat(first.isLeader()).isTrue();
        assertThat(told).endsWith("ann elected");
    }

    @Test
    void lossIsToldBeforeTheNextElection() {
        contend(ann, "ann");
        ann.evict(KEY, "once more");

        runtime.advance(TERM);

        assertThat(told).containsExactly("ann elected", "ann lost EVICTED", "ann elected");
    }

    @Test
    void whoCannotReachTheStoreLosesAndContendsUntilItCan() {
        LeaderElection election = contend(ann, "ann");
        store.always(FaultyStore.Call.APPLY, Fault.FAIL).always(FaultyStore.Call.READ, Fault.FAIL);

        runtime.advance(TERM);
        assertThat(election.isLeader()).isFalse();
        assertThat(told).containsExactly("ann elected", "ann lost STORE_UNREACHABLE");

        runtime.advance(Duration.ofHours(1));
        store.heal();
        runtime.advance(TERM);
        assertThat(election.isLeader()).isTrue();
        assertThat(told).endsWith("ann elected");
    }

    @Test
    void aKeyThatIsDoneFailsAndIsTriedAgain() {
        ann.tryAcquire(KEY, AcquireOptions.defaults()).orThrow().done();
        LeaderElection election = contend(ann, "ann");
        assertThat(told).containsExactly("ann failed " + NotGrantedException.class.getSimpleName());

        ann.reopen(KEY);
        runtime.advance(TERM);

        assertThat(election.isLeader()).isTrue();
    }

    @Test
    void whoCannotLeadGivesWayAndTriesAgain() {
        LeaderElection election = LeaderElection.of(ann, KEY)
                .onElected(lease -> {
                    told.add("ann elected");
                    if (told.size() == 1) {
                        throw new IllegalStateException("not ready");
                    }
                })
                .onFailed(error -> told.add("ann failed " + error.getMessage()))
                .start();
        runtime.advance(Duration.ZERO);
        assertThat(bob.get(KEY).orElseThrow().state()).isEqualTo(State.FREE);

        runtime.advance(TERM);

        assertThat(told).containsExactly("ann elected", "ann failed not ready", "ann elected");
        assertThat(election.isLeader()).isTrue();
    }

    @Test
    void whoClosesWhileContendingIsNeverElected() {
        Lease held = ann.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
        LeaderElection election = contend(bob, "bob");

        election.close();
        held.release();
        runtime.advance(TERM);

        assertThat(told).isEmpty();
        assertThat(ann.get(KEY).orElseThrow().state()).isEqualTo(State.FREE);
    }

    @Test
    void whoContendsWhenItsClientIsClosedIsToldAndContendsNoMore() {
        ann.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
        contend(bob, "bob");

        bob.close();

        assertToldAsClosedAndThenNoMore("bob");
    }

    @Test
    void whoRestsWhenItsClientIsClosedIsToldAndContendsNoMore() {
        ann.tryAcquire(KEY, AcquireOptions.defaults()).orThrow().done();
        contend(bob, "bob");
        assertThat(told).containsExactly("bob failed " + NotGrantedException.class.getSimpleName());
        told.clear();

        bob.close();

        assertToldAsClosedAndThenNoMore("bob");
    }

    private void assertToldAsClosedAndThenNoMore(String name) {
        runtime.advance(TERM);
        assertThat(told).containsOnly(name + " failed " + IllegalStateException.class.getSimpleName());
        told.clear();
        runtime.advance(Duration.ofHours(1));
        assertThat(told).isEmpty();
    }
}
