package dev.holdfast.sim.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Measures, prints the tables of docs/performance.md, and draws its plot.
 *
 * <p>Arguments: the folder for {@code fleet-scale.csv} and {@code fleet-scale.svg}, then numbers of workers. What is in the
 * file already is not measured again.
 */
public final class ScaleStudy {
    private static final int UNITS_PER_WORKER = 100;

    private ScaleStudy() {}

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        Ledger ledger = new Ledger(folder.resolve("fleet-scale.csv"));
        for (int workers :
                Arrays.stream(args).skip(1).mapToInt(Integer::parseInt).toArray()) {
            for (Way way : Way.values()) {
                if (!ledger.has(way, workers)) {
                    ledger.add(way, measure(way, workers));
                }
            }
        }
        new Report(ledger).lines().forEach(line -> System.out.println(line));
        Files.writeString(folder.resolve("fleet-scale.svg"), new Plot(ledger).draw());
    }

    private static Figures measure(Way way, int workers) {
        long start = System.nanoTime();
        Figures figures = new Trial(way.deploy(workers * UNITS_PER_WORKER, Trial.most(workers)), workers).run();
        System.err.printf("%s: %s, %.1f s%n", way, figures, (System.nanoTime() - start) / 1e9);
        return figures;
    }
}
