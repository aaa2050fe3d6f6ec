package dev.holdfast.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PostgreSQL's own load generator, which comes with Debian's package {@code postgresql-contrib}. */
public final class PgbenchLoad {
    private static final int ROWS = 100_000;
    private static final int CLIENTS = 16;
    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+)");

    private final int port;

    public PgbenchLoad(int port) {
        this.port = port;
    }

    public void prepare() throws IOException, InterruptedException {
        run("-i", "-s", String.valueOf(ROWS / 100_000));
    }

    /**
     * Measures transactions of one statement, which updates one row by its primary key.
     *
     * @param protocol {@code simple}, the default of pgbench, or {@code prepared}
     */
    double writesPerSecond(String protocol, int seconds) throws IOException, InterruptedException {
        return writesPerSecond(protocol, CLIENTS, seconds);
    }

    /** The same with another number of clients. */
    public double writesPerSecond(String protocol, int clients, int seconds) throws IOException, InterruptedException {
        Path script = Files.createTempFile("update", ".sql");
        try {
            Files.writeString(
                    script,
                    "\\set aid random(1, " + ROWS + ")\n"
                            + "UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = :aid;\n");
            String options = "-n -M %s -c %d -j %d -T %d -f %s"
                    .formatted(protocol, clients, Math.min(clients, 2), seconds, script);
            String report = run(options.split(" "));
            Matcher rate = RATE.matcher(report);
            if (!rate.find()) {
                throw new IllegalStateException("pgbench: " + report);
            }
            return Double.parseDouble(rate.group(1));
        } finally {
            Files.delete(script);
        }
    }

    private String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("pgbench"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-h", "localhost", "-p", String.valueOf(port), "-U", "postgres", "postgres"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String report = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("pgbench: " + report);
        }
        return report;
    }
}
