package dev.holdfast.bench.servers;

import dev.holdfast.bench.contender.StoreCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The command {@code holdfast serve} in its own process, on a store. */
final class HoldfastServe implements OpponentServer {
    private final int port = ServerProgram.freePort();
    private final OpponentServer store;
    private final String database;
    private final ServerProgram program;

    HoldfastServe(Path folder, ClassPaths classPaths, OpponentServer store, String database) throws Exception {
        this.store = store;
        this.database = database;
        List<String> command = classPaths.java(
                classPaths.client("holdfast"),
                "dev.holdfast.cli.Main",
                List.of("serve", "--store", store.url(database), "--listen", "127.0.0.1:" + port));
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
        Optional<StoreCounts> behind = store.counts(database);
        return behind.isPresent()
                ? behind
                : Optional.of(new StoreCounts(
                        metrics().sum("holdfast_batch_size_count"), metrics().sum("holdfast_batch_size_sum")));
    }

    @Override
    public long storeBytes(String opponent) throws Exception {
        return store.storeBytes(database);
    }

    private MetricsPage metrics() throws IOException {
        return MetricsPage.read("http://127.0.0.1:" + port + "/metrics");
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
