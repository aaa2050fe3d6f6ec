package dev.holdfast.bench.compare;

import dev.holdfast.bench.contender.DurationHistogram;
import dev.holdfast.bench.contender.TurnMessage;
import dev.holdfast.bench.machine.CpuTime;
import dev.holdfast.bench.servers.PostgresServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Loads 1 and 5: pairs of acquire and release of free locks, or of acquire and done of new ones. */
record PairsLoad(CompareOptions options, boolean once) implements CompareLoad {
    @Override
    public String title() {
        return once ? "5 process once: acquire of a new key, then done" : "1 uncontended acquire and release";
    }

    @Override
    public List<LoadCell> cells() {
        List<LoadCell> cells = new ArrayList<>();
        options.callers().forEach(callers -> cells.add(LoadCell.threads(callers)));
        if (!options.isSmoke()) {
            options.callers().forEach(callers -> cells.add(LoadCell.asynchronous(callers)));
        }
        return cells;
    }

    @Override
    public boolean suits(Opponent opponent) {
        boolean hasPairs = opponent.isLock() || opponent == Opponent.PGBENCH;
        // A short run needs no second process of an opponent.
        return once ? opponent != Opponent.PGBENCH && !(options.isSmoke() && hasPairs) : hasPairs;
    }

    @Override
    public LoadStand open(Contestant contestant) throws Exception {
        if (contestant.opponent() == Opponent.PGBENCH) {
            return new PgbenchStand((PostgresServer) contestant.server(), options.seconds());
        }
        Stand stand = new Stand(contestant, contestant.client("pairs", options.term()));
        if (stand.canRun()) {
            WarmUp warmUp = new WarmUp(options.warmUpSeconds());
            warmUp.run(second -> stand.rate(LoadCell.threads(16), "warm-" + second));
            if (stand.client.hasAsync()) {
                warmUp.run(second -> stand.rate(LoadCell.asynchronous(16), "warm-async-" + second));
            }
        }
        return stand;
    }

    private final class Stand implements LoadStand {
        private final Contestant contestant;
        private final ContestantProcess client;

        Stand(Contestant contestant, ContestantProcess client) {
            this.contestant = contestant;
            this.client = client;
        }

        boolean canRun() {
            return !once || client.hasDone();
        }

        double rate(LoadCell cell, String name) throws IOException {
            return ask(cell, name, 1).decimal("rate");
        }

        private TurnMessage ask(LoadCell cell, String name, int seconds) throws IOException {
            return client.ask(TurnMessage.of("pairs")
                    .with("name", (once ? "once-" : "pairs-") + name)
                    .with("once", once)
                    .with("async", cell.async())
                    .with("callers", cell.size())
                    .with("millis", seconds * 1000L));
        }

        @Override
        public Map<String, Double> measure(LoadCell cell, int round) throws Exception {
            Map<String, Double> figures = new LinkedHashMap<>();
            if (canRun() && (!cell.async() || client.hasAsync())) {
                Duration clientBefore = CpuTime.of(List.of(client.process()));
                Duration serverBefore = contestant.serverCpu();
                // Locks of load 1 are the same in every round; keys of load 5 are never used twice.
                String name = once ? round + (cell.async() ? "a" : "t") + cell.size() : "run";
                TurnMessage answer = ask(cell, name, options.seconds());
                double rate = answer.decimal("rate");
                double pairs = rate * options.seconds();
                DurationHistogram durations = DurationHistogram.parse(answer.text("durations"));
                figures.put("pairs/s", rate);
                figures.put("p50 ms", durations.quantileMicros(0.5) / 1e3);
                figures.put("p99 ms", durations.quantileMicros(0.99) / 1e3);
                if (pairs > 0) {
                    figures.put(
                            "client CPU us/pair", micros(clientBefore, CpuTime.of(List.of(client.process()))) / pairs);
                    figures.put("server CPU us/pair", micros(serverBefore, contestant.serverCpu()) / pairs);
                }
            }
            return figures;
        }

        private static double micros(Duration before, Duration after) {
            return after.minus(before).toNanos() / 1e3;
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }
}
