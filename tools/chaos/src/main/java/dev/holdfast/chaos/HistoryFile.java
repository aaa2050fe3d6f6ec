package dev.holdfast.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The history of a run: every line of every client, stamped by the monotonic clock of the harness. */
final class HistoryFile implements AutoCloseable {
    private final BufferedWriter writer;
    private final long originNanos;
    private final Set<String> keys = new TreeSet<>();
    private final List<String> probeLines = new ArrayList<>();
    private final Map<String, String> openCalls = new LinkedHashMap<>();
    private long calls;
    private long answers;
    private long unknown;

    HistoryFile(Path path, long originNanos) throws IOException {
        this.writer = Files.newBufferedWriter(path, UTF_8);
        this.originNanos = originNanos;
    }

    /** Stamps a line of a client: the number of a call, {@code call} or {@code answer}, and fields. */
    synchronized void client(String client, String line) {
        write(client + " " + line);
        if (line.contains(" call ")) {
            calls++;
            openCalls.put(callOf(client, line), line);
            int key = line.indexOf(" key=");
            if (line.contains(" op=acquire ") && key > 0) {
                keys.add(line.substring(key + 5, line.indexOf(' ', key + 5)));
            }
        } else {
            answers++;
            openCalls.remove(callOf(client, line));
            unknown += line.contains(" out=unknown") ? 1 : 0;
        }
        if (client.startsWith(ClientGroup.PROBE)) {
            probeLines.add(line);
        }
    }

    private static String callOf(String client, String line) {
        return client + " " + line.substring(0, line.indexOf(' '));
    }

    /** The calls of a client that have no answer. */
    synchronized List<String> openCalls(String client) {
        return openCalls.entrySet().stream()
                .filter(call -> call.getKey().startsWith(client + " "))
                .map(call -> client + " " + call.getValue())
                .toList();
    }

    synchronized void harness(String fields) {
        write("harness 0 " + fields);
    }

    private void write(String line) {
        try {
            writer.write((System.nanoTime() - originNanos) + " " + line + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    synchronized long calls() {
        return calls;
    }

    /** Calls whose answer says so, and calls without an answer. */
    synchronized long unknownOutcomes() {
        return unknown + calls - answers;
    }

    /** All keys that a client tried to acquire in this epoch or later. */
    synchronized List<String> keysSince(int epoch) {
        return keys.stream()
                .filter(key -> Integer.parseInt(key.substring(key.lastIndexOf("-e") + 2)) >= epoch)
                .toList();
    }

    synchronized List<String> probeLines() {
        return List.copyOf(probeLines);
    }

    @Override
    public synchronized void close() throws IOException {
        writer.close();
    }
}
