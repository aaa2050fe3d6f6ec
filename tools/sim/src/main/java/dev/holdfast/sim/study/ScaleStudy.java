package dev.holdfast.sim.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A program that measures fleets of several sizes, prints the tables of docs/performance.md, and draws its plot.
 *
 * <p>Arguments: the folder for {@code fleet-scale.csv} and {@code fleet-scale.svg}, then numbers of workers. Sizes that
 * are already in the file are not measured again.
 */
public final class ScaleStudy {
    private static final int UNITS_PER_WORKER = 100;

    private ScaleStudy() {}

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        FiguresFile file = new FiguresFile(folder.resolve("fleet-scale.csv"));
        for (int workers :
                Arrays.stream(args).skip(1).mapToInt(Integer::parseInt).toArray()) {
            for (SpreadingMethod method : SpreadingMethod.values()) {
                if (!file.has(method, workers)) {
                    file.add(method, measure(method, workers));
                }
            }
        }
        new ScaleReport(file).lines().forEach(line -> System.out.println(line));
        Files.writeString(folder.resolve("fleet-scale.svg"), new ScalePlot(file).draw());
    }

    private static DeploymentFigures measure(SpreadingMethod method, int workers) {
        long start = System.nanoTime();
        DeploymentFigures figures =
                new ScaleTrial(method.deploy(workers * UNITS_PER_WORKER, ScaleTrial.most(workers)), workers).run();
        System.err.printf("%s: %s, %.1f s%n", method, figures, (System.nanoTime() - start) / 1e9);
        return figures;
    }
}
