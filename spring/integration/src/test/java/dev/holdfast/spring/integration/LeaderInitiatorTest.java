package dev.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.locks.BridgeStore;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Spring Integration's own leader election on the registry. */
class LeaderInitiatorTest {
    private final BridgeStore store = BridgeStore.of(BridgeStore.Backend.SQLITE);

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    /** A candidate that counts down when it is elected, and when it is no longer. */
    private static final class NotingCandidate extends DefaultCandidate {
        private final CountDownLatch granted = new CountDownLatch(1);
        private final CountDownLatch revoked = new CountDownLatch(1);

        NotingCandidate(String id) {
            super(id, "leader");
        }

        @Override
        public void onGranted(Context context) {
            granted.countDown();
        }

        @Override
        public void onRevoked(Context context) {
            revoked.countDown();
        }
    }

    /** With a short term, as a leader notices the loss of its lock at its next renewal. */
    private static HoldfastLockRegistry registry(Leases leases) {
        return new HoldfastLockRegistry(
                leases, "leaders", AcquireOptions.defaults().term(Duration.ofSeconds(3)));
    }

    private static LockRegistryLeaderInitiator start(Leases leases, NotingCandidate candidate) {
        LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry(leases), candidate);
        initiator.setHeartBeatMillis(50);
        initiator.setBusyWaitMillis(50);
        initiator.start();
        return initiator;
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void leadershipMovesWhenTheLeaderStops() throws Exception {
        NotingCandidate ann = new NotingCandidate("ann");
        NotingCandidate bob = new NotingCandidate("bob");
        LockRegistryLeaderInitiator first = start(store.client(), ann);
        await(ann.granted);
        LockRegistryLeaderInitiator second = start(store.client(), bob);
        assertThat(bob.granted.await(300, TimeUnit.MILLISECONDS)).isFalse();

        first.destroy();

        await(ann.revoked);
        await(bob.granted);
        second.destroy();
    }

    @Test
    void aLeaderThatLostItsLockStopsLeadingAndStandsAgain() throws Exception {
        NotingCandidate ann = new NotingCandidate("ann");
        LockRegistryLeaderInitiator first = start(store.client(), ann);
        await(ann.granted);

        Leases operator = store.client();
        operator.evict(Key.of("leaders", "leader"), "a test");
        HoldfastLockRegistry taker = registry(operator);
        assertThat(taker.obtain("leader").tryLock(60, TimeUnit.SECONDS)).isTrue();
        await(ann.revoked);

        taker.obtain("leader").unlock();
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!first.getContext().isLeader()) {
            assertThat(System.nanoTime()).as("it stands again").isLessThan(deadlineNanos);
            Thread.sleep(10);
        }
        first.destroy();
    }
}
