package dev.holdfast.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PairsTurnTest {
    @TempDir
    Path folder;

    @Test
    void everyCallerTakesItsTurns() throws Exception {
        CallerLoad load = turn(new SetContender()).onThreads(4, 200);

        assertThat(load.tallies()).hasSize(4).allMatch(tally -> tally.rounds() > 0);
        assertThat(load.durations().size())
                .isEqualTo(
                        load.tallies().stream().mapToLong(CallerTally::rounds).sum());
    }

    @Test
    void aLockThatIsHeldAlthoughNoOtherCallerWantsItFailsTheTurn() throws Exception {
        SetContender contender = new SetContender();
        contender.tryAcquire("test-0-0");

        assertThatThrownBy(() -> turn(contender).onThreads(1, 200)).hasMessageContaining("is held");
    }

    private PairsTurn turn(LockContender contender) throws Exception {
        return new PairsTurn(contender, new OverlapWitness(folder.resolve("witness")), false, "test");
    }

    /** Locks in memory. */
    private static final class SetContender implements LockContender {
        private final Set<String> held = ConcurrentHashMap.newKeySet();

        @Override
        public Optional<HeldLock> tryAcquire(String name) {
            return held.add(name) ? Optional.of(() -> held.remove(name)) : Optional.empty();
        }

        @Override
        public void close() {}
    }
}
