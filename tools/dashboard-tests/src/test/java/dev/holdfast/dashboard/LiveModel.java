package dev.holdfast.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The state of a page, built from the messages of its stream. */
final class LiveModel implements AutoCloseable {
    private static final long PATIENCE_NANOS = Duration.ofSeconds(40).toNanos();

    private final InputStream in;
    private final Map<String, JsonNode> rows = new TreeMap<>();
    private List<String> order = List.of();
    private JsonNode head = MissingNode.getInstance();
    private JsonNode error = MissingNode.getInstance();
    private int messages;
    private long bytes;
    private boolean ended;

    LiveModel(InputStream in) {
        this.in = in;
        Thread thread = new Thread(this::read, "live-model");
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("data: ")) {
                    apply(DashboardClient.JSON.readTree(line.substring(6)), line.length());
                }
            }
        } catch (IOException e) {
            // The stream was closed, by the server or by this test.
        } finally {
            synchronized (this) {
                ended = true;
                notifyAll();
            }
        }
    }

    private synchronized void apply(JsonNode message, int length) {
        messages++;
        bytes += length;
        error = message.path("error");
        if (message.path("reset").asBoolean()) {
            rows.clear();
            order = List.of();
        }
        if (message.has("head")) {
            head = message.get("head");
        }
        message.path("rows").properties().forEach(row -> rows.put(row.getKey(), row.getValue()));
        message.path("removed").forEach(id -> rows.remove(id.asText()));
        if (message.has("order")) {
            List<String> ids = new ArrayList<>();
            message.get("order").forEach(id -> ids.add(id.asText()));
            order = ids;
        }
        notifyAll();
    }

    /** Waits until the state matches; returns it. */
    synchronized LiveModel await(Predicate<LiveModel> condition) {
        long begun = System.nanoTime();
        while (!condition.test(this)) {
            long left = PATIENCE_NANOS - (System.nanoTime() - begun);
            if (left <= 0 || (ended && !condition.test(this))) {
                throw new AssertionError("waited in vain; ended " + ended + ", head " + head + ", rows " + rows);
            }
            try {
                wait(Math.max(1, left / 1_000_000));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return this;
    }

    LiveModel first() {
        return await(it -> it.messages > 0);
    }

    synchronized void awaitEnd() {
        await(it -> it.ended);
    }

    synchronized JsonNode head() {
        return head;
    }

    synchronized JsonNode error() {
        return error;
    }

    synchronized List<String> order() {
        return order;
    }

    synchronized int size() {
        return rows.size();
    }

    synchronized int messages() {
        return messages;
    }

    synchronized long bytes() {
        return bytes;
    }

    /** The row of a key or of another id; missing if there is none. */
    synchronized JsonNode row(String id) {
        return rows.getOrDefault(id, MissingNode.getInstance());
    }

    synchronized JsonNode row(String namespace, String name) {
        return row(namespace + "\0" + name);
    }

    /** Everything that was sent, as text. */
    synchronized String everything() {
        return head + " " + rows;
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            // It is closed.
        }
    }
}
