package dev.holdfast.bench.compare;

import dev.holdfast.bench.report.FigureCurves;
import dev.holdfast.bench.report.FigureSet;
import dev.holdfast.bench.report.FigureTable;
import dev.holdfast.bench.report.LineChart;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** The results of a run: the table, which is printed, too, a file of all figures, and plots of what grows. */
record CompareReport(CompareOptions options, FigureSet figures) {
    void write() throws IOException {
        List<String> opponents =
                options.opponents().stream().map(opponent -> opponent.title).toList();
        String table = new FigureTable(figures, options.baseline().title, opponents).draw();
        System.out.println(table);
        Files.createDirectories(options.out());
        Files.writeString(options.out().resolve("figures.csv"), figures.toCsv());
        Files.writeString(options.out().resolve("table.md"), table);
        if (options.loads().contains(1)) {
            String load = new PairsLoad(options, false).title();
            FigureCurves curves = new FigureCurves(figures, load, opponents);
            LineChart chart = new LineChart(opponents);
            chart.add("acquire and release pairs/s, threads", "callers", curves.of("pairs/s", "thread"));
            chart.add("p99 of a pair, ms, threads", "callers", curves.of("p99 ms", "thread"));
            Files.writeString(options.out().resolve("callers.svg"), chart.draw());
        }
        if (options.loads().contains(CompareOptions.MEMORY)) {
            FigureCurves curves = new FigureCurves(figures, new MemoryLoad(options).title(), opponents);
            LineChart chart = new LineChart(opponents);
            for (String part : List.of("client heap", "server heap", "store")) {
                chart.add(part + ", bytes/lease", "held leases", curves.of(part + ", bytes/lease", "leases"));
            }
            Files.writeString(options.out().resolve("memory.svg"), chart.draw());
        }
    }
}
