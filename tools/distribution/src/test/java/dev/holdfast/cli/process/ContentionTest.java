package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import dev.holdfast.cli.process.Holdfast.Running;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContentionTest {
    @TempDir
    private Path folder;

    @Test
    void exactlyOneOfTwentyConcurrentCallsAcquiresTheLease() {
        Holdfast holdfast = new Holdfast(folder);
        List<Running> all = IntStream.range(0, 20)
                .mapToObj(i -> holdfast.start("acquire", "a", "--no-wait", "--owner", "number " + i))
                .toList();
        List<Result> results = all.stream().map(Running::result).toList();

        assertThat(results)
                .filteredOn(result -> result.code() == 0)
                .singleElement()
                .satisfies(winner -> {
                    assertThat(winner.out().strip()).hasSize(36);
                    assertThat(winner.err()).isEmpty();
                });
        assertThat(results).filteredOn(result -> result.code() == 3).hasSize(19).allSatisfy(loser -> {
            assertThat(loser.out()).isEmpty();
            assertThat(loser.err())
                    .startsWith("holdfast: 'a' is held by number ")
                    .hasLineCount(1);
        });
    }
}
