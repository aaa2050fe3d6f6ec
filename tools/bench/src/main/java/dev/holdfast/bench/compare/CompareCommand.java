package dev.holdfast.bench.compare;

import dev.holdfast.bench.report.FigureTable;
import dev.holdfast.bench.servers.ClassPaths;
import dev.holdfast.bench.servers.MissingProgramException;
import dev.holdfast.bench.servers.ServerRack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The command {@code holdfast-bench}: a comparison of Holdfast with other lock clients, in one run. */
public final class CompareCommand {
    private final CompareOptions options;
    private final ClassPaths classPaths;

    CompareCommand(CompareOptions options, ClassPaths classPaths) {
        this.options = options;
        this.classPaths = classPaths;
    }

    public static void main(String[] args) throws Exception {
        int status = 2;
        if (args.length == 0 || !args[0].equals("compare")) {
            System.err.print(CompareOptions.USAGE);
        } else {
            try {
                CompareOptions options = CompareOptions.parse(List.of(args).subList(1, args.length));
                Path modules = Path.of(System.getProperty("holdfast.bench.opponents", "tools/bench/opponents"));
                status = new CompareCommand(options, new ClassPaths(modules))
                                .run()
                                .isEmpty()
                        ? 0
                        : 1;
            } catch (IllegalArgumentException e) {
                System.err.println("holdfast-bench: " + e.getMessage());
            }
        }
        System.exit(status);
    }

    /** Runs all loads, prints the table and writes the files. Returns the failures. */
    List<String> run() throws Exception {
        Path folder = Files.createTempDirectory("holdfast-compare");
        try (ServerRack servers = new ServerRack(folder, classPaths)) {
            CompareRun run = new CompareRun(servers, contestants(servers, folder), options.rounds());
            for (int load : options.loads()) {
                run.run(load(load));
            }
            String table = new FigureTable(run.figures(), options.baseline().title).draw();
            System.out.println(table);
            Files.createDirectories(options.out());
            Files.writeString(
                    options.out().resolve("figures.csv"), run.figures().toCsv());
            Files.writeString(options.out().resolve("table.md"), table);
            run.failures().forEach(failure -> System.out.println("FAILED " + failure));
            return run.failures();
        } finally {
            delete(folder);
        }
    }

    private List<Contestant> contestants(ServerRack servers, Path folder) throws Exception {
        List<Contestant> contestants = new ArrayList<>();
        for (Opponent opponent : options.opponents()) {
            try {
                contestants.add(new Contestant(opponent, servers.get(opponent.server), classPaths, folder));
                System.out.println(
                        opponent.title + ": " + servers.get(opponent.server).description());
            } catch (MissingProgramException e) {
                System.out.println("SKIPPED " + opponent.title + ": " + e.getMessage());
            }
        }
        return contestants;
    }

    private CompareLoad load(int number) {
        return switch (number) {
            case 1 -> new PairsLoad(options, false);
            case 5 -> new PairsLoad(options, true);
            default -> throw new IllegalArgumentException("--loads: " + number + " (expected: 1 to 5)");
        };
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        }
    }
}
