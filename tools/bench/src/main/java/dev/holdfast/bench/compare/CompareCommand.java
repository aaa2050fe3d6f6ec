package dev.holdfast.bench.compare;

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

    /** @param modules the folder of the opponents' modules */
    CompareCommand(CompareOptions options, Path modules) {
        this.options = options;
        // A short run has no time to compile.
        this.classPaths = new ClassPaths(modules, options.isSmoke() ? List.of("-XX:TieredStopAtLevel=1") : List.of());
    }

    public static void main(String[] args) throws Exception {
        int status = 2;
        if (List.of(args).contains("--help")) {
            System.out.print(CompareOptions.USAGE);
            status = 0;
        } else if (args.length == 0 || !List.of("compare", "growth").contains(args[0])) {
            System.err.print(CompareOptions.USAGE);
        } else {
            try {
                CompareOptions options =
                        CompareOptions.parse(List.of(args).subList(1, args.length), args[0].equals("growth"));
                Path modules = Path.of(System.getProperty("holdfast.bench.opponents", "tools/bench/opponents"));
                CompareCommand command = new CompareCommand(options, modules);
                status = command.run().failures().isEmpty() ? 0 : 1;
            } catch (IllegalArgumentException e) {
                System.err.println("holdfast-bench: " + e.getMessage());
            }
        }
        System.exit(status);
    }

    /** Runs all loads, prints the table and writes the files. */
    CompareRun run() throws Exception {
        Path folder = Files.createTempDirectory("holdfast-compare");
        ServerRack servers = new ServerRack(folder, classPaths);
        Thread onInterrupt = new Thread(() -> stop(servers, folder));
        Runtime.getRuntime().addShutdownHook(onInterrupt);
        try {
            CompareRun run = new CompareRun(servers, contestants(servers, folder), options.rounds());
            for (int load : options.loads()) {
                run.run(load(load));
            }
            new CompareReport(options, run.figures()).write();
            run.failures().forEach(failure -> System.out.println("FAILED " + failure));
            return run;
        } finally {
            stop(servers, folder);
            Runtime.getRuntime().removeShutdownHook(onInterrupt);
        }
    }

    private static void stop(ServerRack servers, Path folder) {
        try {
            servers.close();
            delete(folder);
        } catch (IOException e) {
            System.err.println("holdfast-bench: " + folder + ": " + e);
        }
    }

    /** Starts the servers. An opponent without its program is skipped by name. */
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
            case CompareOptions.MEMORY -> new MemoryLoad(options);
            case 1 -> new PairsLoad(options, false);
            case 2 -> new HotKeyLoad(options);
            case 3 -> new HoldingLoad(options);
            case 4 -> new HandOverLoad(options);
            case 5 -> new PairsLoad(options, true);
            default -> throw new IllegalArgumentException("--loads: " + number + " (expected: 1 to 5)");
        };
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
