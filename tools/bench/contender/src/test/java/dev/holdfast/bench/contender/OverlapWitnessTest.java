package dev.holdfast.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverlapWitnessTest {
    /** Beyond the largest number that Linux gives to a process. */
    private static final long DEAD = 1L << 23;

    @TempDir
    Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void setUp() {
        file = folder.resolve("witness");
    }

    @Test
    void holdersOneAfterAnotherDoNotOverlap() throws IOException {
        OverlapWitness witness = new OverlapWitness(file);

        witness.enter(1, 0);
        witness.leave(1, 0);
        witness.enter(1, 1);
        witness.leave(1, 1);

        assertThat(witness.overlap()).isEmpty();
    }

    @Test
    void twoHoldersOfOneLockAreReported() throws IOException {
        OverlapWitness witness = new OverlapWitness(file);

        witness.enter(1, 0);
        witness.enter(1, 1);

        assertThat(witness.overlap()).contains("lock 1").contains("caller 1").contains("caller 0");
    }

    @Test
    void holdersInTwoProcessesAreReported() throws IOException {
        OverlapWitness first = new OverlapWitness(file, 1);
        OverlapWitness second = new OverlapWitness(file);

        first.enter(7, 0);
        second.enter(7, 0);

        assertThat(second.overlap()).contains("process 1 ");
    }

    @Test
    void aLockThatWasGrantedToAnotherMeanwhileIsReportedAtItsRelease() throws IOException {
        OverlapWitness dead = new OverlapWitness(file, DEAD);
        OverlapWitness witness = new OverlapWitness(file);

        dead.enter(3, 0);
        witness.enter(3, 0);
        dead.leave(3, 0);

        assertThat(dead.overlap()).contains("granted to");
    }

    @Test
    void theHolderOfADeadProcessMayBeReplaced() throws IOException {
        OverlapWitness dead = new OverlapWitness(file, DEAD);
        OverlapWitness witness = new OverlapWitness(file);

        dead.enter(3, 0);
        witness.enter(3, 0);
        witness.leave(3, 0);

        assertThat(witness.overlap()).isEmpty();
    }
}
