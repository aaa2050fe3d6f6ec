package dev.holdfast.bench.compare;

import dev.holdfast.bench.contender.StoreCounts;
import dev.holdfast.bench.contender.TurnMessage;
import dev.holdfast.bench.machine.CpuTime;
import dev.holdfast.bench.servers.ServerKind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Load 3: 10 workers in one process hold many leases for a while. Every turn has a process of its own. */
record HoldingLoad(CompareOptions options) implements CompareLoad {
    private static final int WORKERS = 10;

    /** Idle sessions of PostgreSQL report their writes up to 10 s late. */
    private static final int SETTLE_SECONDS = 12;

    /** DynamoDB Local takes minutes to write more. */
    private static final int MOST_IN_DYNAMODB = 10_000;

    @Override
    public String title() {
        return "3 leases held by 10 workers, term " + options.term().toSeconds() + " s";
    }

    @Override
    public List<LoadCell> cells() {
        return options.leases().stream()
                .map(leases -> new LoadCell(String.format(Locale.ROOT, "%d leases", leases), leases, false))
                .toList();
    }

    @Override
    public LoadStand open(Contestant contestant) {
        return new LoadStand() {
            @Override
            public Map<String, Double> measure(LoadCell cell, int round) throws Exception {
                if (contestant.opponent().server == ServerKind.DYNAMODB && cell.size() > MOST_IN_DYNAMODB) {
                    System.out.println("SKIPPED " + contestant.opponent().title + ": " + cell.name());
                    return Map.of();
                }
                try (ContestantProcess client = contestant.client("holder-" + round, options.term())) {
                    return hold(contestant, client, cell, round);
                }
            }

            @Override
            public void close() {}
        };
    }

    private Map<String, Double> hold(Contestant contestant, ContestantProcess client, LoadCell cell, int round)
            throws Exception {
        client.ask(TurnMessage.of("hold")
                .with("name", "round-" + round + "-" + cell.size())
                .with("locks", cell.size())
                .with("workers", WORKERS));
        TimeUnit.SECONDS.sleep(options.isSmoke() ? 1 : SETTLE_SECONDS);
        StoreCounts countsBefore = contestant.counts(client);
        Duration clientBefore = CpuTime.of(List.of(client.process()));
        Duration serverBefore = contestant.serverCpu();
        TimeUnit.SECONDS.sleep(options.holdSeconds());
        Duration clientTime = CpuTime.of(List.of(client.process())).minus(clientBefore);
        Duration serverTime = contestant.serverCpu().minus(serverBefore);
        StoreCounts counts = contestant.counts(client).minus(countsBefore);
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("writes/s", perSecond(counts.writes()));
        figures.put("requests/s", perSecond(counts.requests()));
        figures.put("client CPU % of a core", perSecond(clientTime.toMillis()) / 10);
        figures.put("server CPU % of a core", perSecond(serverTime.toMillis()) / 10);
        figures.put("lost of 10 probed", (double)
                client.ask(TurnMessage.of("probe")).number("lost"));
        return figures;
    }

    private double perSecond(long count) {
        return (double) count / options.holdSeconds();
    }
}
