package dev.holdfast.bench.compare;

import dev.holdfast.bench.machine.MachineNoise;
import dev.holdfast.bench.report.Figure;
import dev.holdfast.bench.report.FigureSet;
import dev.holdfast.bench.servers.ServerRack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rounds of all loads: in every round, each opponent takes its turn in each cell of a load. */
final class CompareRun {
    private final ServerRack servers;
    private final List<Contestant> contestants;
    private final int rounds;
    private final FigureSet figures = new FigureSet();
    private final List<String> failures = new ArrayList<>();

    CompareRun(ServerRack servers, List<Contestant> contestants, int rounds) {
        this.servers = servers;
        this.contestants = contestants;
        this.rounds = rounds;
    }

    /** The titles of all opponents that take part. */
    List<String> contestants() {
        return contestants.stream()
                .map(contestant -> contestant.opponent().title)
                .toList();
    }

    FigureSet figures() {
        return figures;
    }

    /** The opponents that failed, each with its reason; an overlap of two holders is one. */
    List<String> failures() {
        return failures;
    }

    void run(CompareLoad load) throws IOException {
        Map<Contestant, LoadStand> stands = new LinkedHashMap<>();
        try {
            for (Contestant contestant : contestants) {
                if (!load.suits(contestant.opponent())) {
                    continue;
                }
                System.out.println("load " + load.title() + ": warming up " + contestant.opponent().title);
                attempt(contestant, load, () -> stands.put(contestant, load.open(contestant)));
            }
            for (int round = 1; round <= rounds; round++) {
                System.out.printf(
                        "load %s: round %d of %d, load average %s%n",
                        load.title(), round, rounds, MachineNoise.loadAverage());
                for (LoadCell cell : load.cells()) {
                    takeTurns(load, cell, round, stands);
                }
            }
        } finally {
            for (LoadStand stand : stands.values()) {
                stand.close();
            }
        }
    }

    private void takeTurns(CompareLoad load, LoadCell cell, int round, Map<Contestant, LoadStand> stands) {
        List<Contestant> order = new ArrayList<>(stands.keySet());
        // Each goes first once in a while.
        Collections.rotate(order, -round);
        for (Contestant contestant : order) {
            attempt(contestant, load, () -> takeTurn(load, cell, round, contestant, stands));
        }
    }

    private void takeTurn(
            CompareLoad load, LoadCell cell, int round, Contestant contestant, Map<Contestant, LoadStand> stands)
            throws Exception {
        LoadStand stand = stands.get(contestant);
        if (stand == null) {
            return;
        }
        MachineNoise noise = new MachineNoise(servers.processes());
        Map<String, Double> measured = stand.measure(cell, round);
        double share = noise.share();
        measured.forEach((metric, value) -> figures.add(
                new Figure(load.title(), metric, cell.name(), contestant.opponent().title, round, value, share)));
    }

    private interface Step {
        void run() throws Exception;
    }

    /** Runs a step. A failure is named, and the other opponents go on. */
    private void attempt(Contestant contestant, CompareLoad load, Step step) {
        try {
            step.run();
        } catch (Exception e) {
            String failure = contestant.opponent().title + ", load " + load.title() + ": " + e;
            failures.add(failure);
            System.out.println("FAILED " + failure);
        }
    }
}
