package dev.holdfast.chaos;

import dev.holdfast.chaos.backend.ChaosBackend;
import dev.holdfast.chaos.client.ClientSettings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The client processes of a run, numbered from 1. A process that ends is replaced by its next life. */
final class ClientGroup implements AutoCloseable {
    /** The client that acquires every key after the run. */
    static final String PROBE = "c0.";

    /** Far longer than the longest wait and all time-outs of a client together. */
    private static final long DRAIN_MILLIS = TimeUnit.SECONDS.toMillis(60);

    private static final long PROBE_MILLIS = TimeUnit.MINUTES.toMillis(4);

    private final ChaosOptions options;
    private final ChaosBackend backend;
    private final Path folder;
    private final Path resource;
    private final long originNanos;
    private final HistoryFile history;
    private final @Nullable ClientProcess[] clients;
    private final int[] lives;
    private int epoch;
    private long unplannedExits;

    ClientGroup(
            ChaosOptions options,
            ChaosBackend backend,
            Path folder,
            Path resource,
            long originNanos,
            HistoryFile history) {
        this.options = options;
        this.backend = backend;
        this.folder = folder;
        this.resource = resource;
        this.originNanos = originNanos;
        this.history = history;
        this.clients = new ClientProcess[options.clients() + 1];
        this.lives = new int[options.clients() + 1];
    }

    /** Starts the next life of a client, unless one is running. */
    synchronized void start(int client) throws IOException {
        ClientProcess running = clients[client];
        if (running == null || !running.isAlive()) {
            clients[client] = launch(client, "");
        }
    }

    private ClientProcess launch(int client, String task) throws IOException {
        lives[client]++;
        long seed = options.seed() * 1_000_003 + client * 1009L + lives[client];
        // Two clocks differ by less than the thousandth that Holdfast's guarantees assume.
        double rate = 1 + (new Random(options.seed() + client).nextDouble() - 0.5) * 0.00098;
        ClientSettings settings = new ClientSettings(
                backend.url(client),
                "c" + client + "." + lives[client],
                seed,
                resource,
                options.guarded(),
                originNanos,
                rate,
                options.termMillis(),
                options.bug(),
                task);
        ClientProcess started =
                ClientProcess.start(settings, backend.environment(client), freshFolder("client-" + client), history);
        started.send("epoch " + epoch);
        return started;
    }

    /** An empty folder for the native library that the SQLite driver unpacks, and a killed process leaves. */
    private Path freshFolder(String name) throws IOException {
        Path fresh = Files.createDirectories(folder.resolve(name));
        try (DirectoryStream<Path> old = Files.newDirectoryStream(fresh)) {
            for (Path file : old) {
                Files.delete(file);
            }
        }
        return fresh;
    }

    /** The running process of a client; null if it was killed. */
    synchronized @Nullable ClientProcess running(int client) {
        ClientProcess process = clients[client];
        return process != null && process.isAlive() ? process : null;
    }

    /** Kills a client. Its next life begins with {@link #start}. */
    synchronized void kill(int client) {
        ClientProcess process = clients[client];
        if (process != null) {
            process.kill();
        }
        clients[client] = null;
    }

    /** Replaces clients that ended by themselves. */
    synchronized void revive() throws IOException {
        for (int client = 1; client < clients.length; client++) {
            ClientProcess process = clients[client];
            if (process != null && !process.isAlive()) {
                unplannedExits++;
                start(client);
            }
        }
    }

    synchronized void nextEpoch(int next) {
        epoch = next;
        for (ClientProcess process : clients) {
            if (process != null) {
                process.send("epoch " + next);
            }
        }
    }

    synchronized long unplannedExits() {
        return unplannedExits;
    }

    /**
     * Lets all clients finish what they began, and ends them.
     *
     * @return the names of clients that did not finish in time
     */
    List<String> drain() throws InterruptedException {
        List<String> stuck = new ArrayList<>();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DRAIN_MILLIS);
        for (int client = 1; client < clients.length; client++) {
            ClientProcess process = running(client);
            if (process != null) {
                process.send("drain");
            }
        }
        for (int client = 1; client < clients.length; client++) {
            ClientProcess process = clients[client];
            if (process != null) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (!process.awaitEnd(Math.max(1, left))) {
                    stuck.add(process.name());
                }
                process.kill();
                process.awaitEnd(DRAIN_MILLIS);
            }
        }
        return stuck;
    }

    /** Lets a fresh client acquire each of the keys; false if it did not end in time. */
    boolean probe(List<String> keys) throws IOException, InterruptedException {
        ClientProcess process = launch(0, String.join(",", keys));
        boolean ended = process.awaitEnd(PROBE_MILLIS) && process.isDrained();
        process.kill();
        process.awaitEnd(DRAIN_MILLIS);
        return ended;
    }

    @Override
    public synchronized void close() {
        for (ClientProcess process : clients) {
            if (process != null) {
                process.kill();
            }
        }
    }
}
