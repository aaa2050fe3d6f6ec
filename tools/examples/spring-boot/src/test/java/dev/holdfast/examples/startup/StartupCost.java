package dev.holdfast.examples.startup;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measures how long an empty web application takes from the start of its process until it is ready, without the starter and with
 * it. The kinds take turns, so that a busy machine slows down all of them. The CPU time depends less on other processes.
 */
final class StartupCost {
    /** Libraries of the example that an empty application does not have. */
    private static final Pattern OTHERS =
            Pattern.compile("(?:spring-boot-(?:starter-)?(?:jdbc|sql|actuator|health|micrometer).*"
                    + "|spring-jdbc|spring-tx|micrometer-(?!commons|observation-1).*|HdrHistogram|LatencyUtils).*");

    /** Libraries that the starter brings. */
    private static final Pattern OF_STARTER = Pattern.compile("(?:holdfast-|HikariCP|postgresql-).*");

    private StartupCost() {}

    /** @param args the folder with the compiled application; the number of rounds */
    public static void main(String[] args) throws Exception {
        Path target = Path.of(args[0]);
        int rounds = Integer.parseInt(args[1]);
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            String store = "postgresql://postgres@localhost:" + postgres.getPort() + "/postgres";
            Map<String, List<String>> kinds = new LinkedHashMap<>();
            kinds.put("empty", command(target, false));
            kinds.put("with the starter, memory", command(target, true, "--holdfast.store=memory:"));
            kinds.put("with the starter, PostgreSQL", command(target, true, "--holdfast.store=" + store));
            Map<String, List<Cost>> costs = new LinkedHashMap<>();
            for (int round = -1; round < rounds; round++) {
                for (Map.Entry<String, List<String>> kind : kinds.entrySet()) {
                    Cost cost = run(kind.getValue());
                    if (round >= 0) { // the first one warms the caches of the disk
                        costs.computeIfAbsent(kind.getKey(), key -> new ArrayList<>())
                                .add(cost);
                    }
                }
            }
            print(costs);
        }
    }

    private static List<String> command(Path target, boolean starter, String... arguments) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath;
        try (Stream<Path> all = Files.list(target.resolve("lib"))) {
            classPath = all.filter(jar -> !OTHERS.matcher(name(jar)).matches())
                    .filter(jar -> starter || !OF_STARTER.matcher(name(jar)).matches())
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator));
        }
        List<String> command = new ArrayList<>(List.of(
                java,
                "-cp",
                target.resolve("test-classes") + File.pathSeparator + classPath,
                EmptyApplication.class.getName(),
                "--server.port=0",
                "--spring.main.banner-mode=off"));
        command.addAll(List.of(arguments));
        return command;
    }

    private static String name(Path jar) {
        return jar.getFileName().toString();
    }

    /** What one start took. */
    private record Cost(long wallMillis, long cpuMillis) {}

    private static Cost run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("startup", ".log");
        try {
            long start = System.nanoTime();
            int exit = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start()
                    .waitFor();
            long nanos = System.nanoTime() - start;
            if (exit != 0) {
                throw new IllegalStateException(Files.readString(output));
            }
            String printed = Files.readString(output);
            boolean wanted = command.stream().anyMatch(argument -> argument.startsWith("--holdfast."));
            if (wanted != printed.contains("Holdfast opened the store")) {
                throw new IllegalStateException("not the application that was meant:\n" + printed);
            }
            int at = printed.lastIndexOf(EmptyApplication.CPU_MILLIS) + EmptyApplication.CPU_MILLIS.length();
            return new Cost(
                    nanos / 1_000_000, Long.parseLong(printed.substring(at).strip()));
        } finally {
            Files.delete(output);
        }
    }

    private static void print(Map<String, List<Cost>> costs) {
        List<Cost> empty = costs.values().iterator().next();
        costs.forEach((kind, taken) -> System.out.printf(
                Locale.ROOT,
                "%-30s wall %5.0f ms, ratio %.2f; CPU %5.0f ms, ratio %.2f (medians of %d)%n",
                kind,
                median(taken, Cost::wallMillis),
                median(taken, Cost::wallMillis) / median(empty, Cost::wallMillis),
                median(taken, Cost::cpuMillis),
                median(taken, Cost::cpuMillis) / median(empty, Cost::cpuMillis),
                taken.size()));
    }

    private static double median(List<Cost> costs, ToLongFunction<Cost> part) {
        long[] sorted = costs.stream().mapToLong(part).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2.0;
    }
}
