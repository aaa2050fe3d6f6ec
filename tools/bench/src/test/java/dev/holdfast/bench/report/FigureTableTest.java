package dev.holdfast.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FigureTableTest {
    @Test
    void ratiosAreOfTheSameRoundWithTheirSpread() {
        FigureSet figures = new FigureSet();
        double[] ours = {100, 300, 400};
        double[] theirs = {100, 100, 200};
        for (int round = 0; round < 3; round++) {
            figures.add(new Figure("1", "pairs/s", "16 threads", "ours", round, ours[round], 0));
            figures.add(new Figure("1", "pairs/s", "16 threads", "theirs", round, theirs[round], 0));
        }

        String table = new FigureTable(figures, "theirs", List.of("ours", "theirs")).draw();

        assertThat(table).contains("| ours | 300 (100 to 400) |").contains("| ours | 2.00 (1.00 to 3.00) |");
    }

    @Test
    void figuresOfABusyMachineAreMarked() {
        FigureSet figures = new FigureSet();
        figures.add(new Figure("1", "pairs/s", "1 thread", "ours", 1, 5, 0.5));

        assertThat(new FigureTable(figures, "theirs", List.of("ours")).draw()).contains("| 5.00 noisy |");
    }

    @Test
    void opponentsAreInTheGivenOrder() {
        FigureSet figures = new FigureSet();
        figures.add(new Figure("1", "pairs/s", "1 thread", "b", 1, 5, 0));
        figures.add(new Figure("1", "pairs/s", "1 thread", "a", 1, 6, 0));

        assertThat(new FigureTable(figures, "none", List.of("a", "b")).draw())
                .containsSubsequence("| a | 6.00 |", "| b | 5.00 |");
    }
}
