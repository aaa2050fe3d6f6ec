package dev.holdfast.bench.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.bench.contender.StoreCounts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The command {@code holdfast serve} in its own process, on a store. */
final class HoldfastServe implements OpponentServer {
    private final int port = ServerProgram.freePort();
    private final OpponentServer store;
    private final ServerProgram program;

    HoldfastServe(Path folder, ClassPaths classPaths, OpponentServer store, String opponent) throws Exception {
        this.store = store;
        List<String> command = new ArrayList<>(List.of(ClassPaths.java(), "-cp", classPaths.client("holdfast")));
        command.addAll(List.of("dev.holdfast.cli.Main", "serve"));
        command.addAll(List.of("--store", store.url(opponent), "--listen", "127.0.0.1:" + port));
        program = ServerProgram.start(folder, port, command);
    }

    @Override
    public String url(String opponent) {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public List<ProcessHandle> processes() {
        List<ProcessHandle> all = new ArrayList<>(program.processes());
        all.addAll(store.processes());
        return all;
    }

    /** The counts of the store behind the server; of a file, the batches and changes that the server sent to it. */
    @Override
    public Optional<StoreCounts> counts(String opponent) throws Exception {
        Optional<StoreCounts> behind = store.counts(opponent);
        return behind.isPresent()
                ? behind
                : Optional.of(
                        new StoreCounts(metric("holdfast_batch_size_count "), metric("holdfast_batch_size_sum ")));
    }

    private long metric(String name) throws IOException {
        try (BufferedReader metrics = new BufferedReader(
                new InputStreamReader(URI.create(url("") + "/metrics").toURL().openStream(), UTF_8))) {
            return metrics.lines()
                    .filter(line -> line.startsWith(name))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length())))
                    .sum();
        }
    }

    @Override
    public String description() {
        return "holdfast serve on " + store.description();
    }

    @Override
    public void close() {
        program.close();
    }
}
