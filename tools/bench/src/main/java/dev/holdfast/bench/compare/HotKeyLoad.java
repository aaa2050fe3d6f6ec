package dev.holdfast.bench.compare;

import dev.holdfast.bench.contender.DurationHistogram;
import dev.holdfast.bench.contender.TurnMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;

/** Load 2: one key, 16 callers in 4 processes, each holds it for a millisecond. */
record HotKeyLoad(CompareOptions options) implements CompareLoad {
    private static final int PROCESSES = 4;
    private static final int CALLERS = 4;
    private static final int HOLD_MILLIS = 1;

    @Override
    public String title() {
        return "2 one hot key, 16 callers in 4 processes, held 1 ms";
    }

    @Override
    public List<LoadCell> cells() {
        return List.of(new LoadCell("16 callers", PROCESSES * CALLERS, false));
    }

    @Override
    public LoadStand open(Contestant contestant) throws Exception {
        Stand stand = new Stand();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                stand.clients.add(contestant.client("hot-" + i, options.term()));
            }
            // Without holding, so that a JVM sees thousands of hand-overs, and compiles.
            new WarmUp(options.warmUpSeconds()).run(second -> stand.run(1, 0).handOvers());
            return stand;
        } catch (Exception e) {
            stand.close();
            throw e;
        }
    }

    private record Turn(LongSummaryStatistics rounds, DurationHistogram waits) {
        double handOvers() {
            return rounds.getSum();
        }
    }

    private final class Stand implements LoadStand {
        final List<ContestantProcess> clients = new ArrayList<>();

        Turn run(int seconds, int holdMillis) throws IOException {
            TurnMessage request = TurnMessage.of("hot")
                    .with("name", "hot")
                    .with("callers", CALLERS)
                    .with("hold", holdMillis)
                    .with("millis", seconds * 1000L);
            for (ContestantProcess client : clients) {
                client.send(request);
            }
            Turn turn = new Turn(new LongSummaryStatistics(), new DurationHistogram());
            for (ContestantProcess client : clients) {
                TurnMessage answer = client.answer();
                Arrays.stream(answer.text("rounds").split(",", -1))
                        .forEach(rounds -> turn.rounds.accept(Long.parseLong(rounds)));
                turn.waits.addAll(DurationHistogram.parse(answer.text("waits")));
            }
            return turn;
        }

        @Override
        public Map<String, Double> measure(LoadCell cell, int round) throws IOException {
            Turn turn = run(options.seconds(), HOLD_MILLIS);
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put("hand-overs/s", turn.handOvers() / options.seconds());
            figures.put("p50 wait ms", turn.waits.quantileMicros(0.5) / 1e3);
            figures.put("p99 wait ms", turn.waits.quantileMicros(0.99) / 1e3);
            // A caller without any turn counts as one with one turn.
            figures.put(
                    "most/least turns of a caller", (double) turn.rounds.getMax() / Math.max(1, turn.rounds.getMin()));
            return figures;
        }

        @Override
        public void close() throws IOException {
            for (ContestantProcess client : clients) {
                client.close();
            }
        }
    }
}
