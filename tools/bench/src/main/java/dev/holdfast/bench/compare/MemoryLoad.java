package dev.holdfast.bench.compare;

import dev.holdfast.bench.contender.TurnMessage;
import dev.holdfast.bench.machine.LiveHeap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The memory of client and server for every held lease; of our own programs only. */
record MemoryLoad(CompareOptions options) implements CompareLoad {
    private static final int WORKERS = 10;

    @Override
    public String title() {
        return "memory of held leases";
    }

    @Override
    public List<LoadCell> cells() {
        return options.leases().stream()
                .map(leases -> new LoadCell(String.format(Locale.ROOT, "%d leases", leases), leases, false))
                .toList();
    }

    @Override
    public boolean suits(Opponent opponent) {
        return opponent.isOurs();
    }

    @Override
    public LoadStand open(Contestant contestant) {
        return new LoadStand() {
            @Override
            public Map<String, Double> measure(LoadCell cell, int round) throws Exception {
                try (ContestantProcess client = contestant.client("holder-" + round, options.term())) {
                    return hold(contestant, client, cell, round);
                }
            }

            @Override
            public void close() {}
        };
    }

    private static Map<String, Double> hold(Contestant contestant, ContestantProcess client, LoadCell cell, int round)
            throws Exception {
        List<ProcessHandle> servers = contestant.server().processes().stream()
                .filter(LiveHeap::isJava)
                .toList();
        long clientBefore = LiveHeap.bytes(List.of(client.process()));
        long serverBefore = LiveHeap.bytes(servers);
        long storeBefore = contestant.server().storeBytes(contestant.opponent().id);
        client.ask(TurnMessage.of("hold")
                .with("name", "memory-" + round + "-" + cell.size())
                .with("locks", cell.size())
                .with("workers", WORKERS));
        Map<String, Double> figures = new LinkedHashMap<>();
        double leases = cell.size();
        figures.put("client heap, bytes/lease", (LiveHeap.bytes(List.of(client.process())) - clientBefore) / leases);
        if (!servers.isEmpty()) {
            figures.put("server heap, bytes/lease", (LiveHeap.bytes(servers) - serverBefore) / leases);
        }
        figures.put(
                "store, bytes/lease",
                (contestant.server().storeBytes(contestant.opponent().id) - storeBefore) / leases);
        return figures;
    }
}
