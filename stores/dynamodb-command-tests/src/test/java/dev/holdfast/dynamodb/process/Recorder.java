package dev.holdfast.dynamodb.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Proxy between a command and the service that records the requested actions. */
final class Recorder implements AutoCloseable {
    private static final String TARGET = "X-Amz-Target";

    private final URI service;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<String> actions = new TreeSet<>();

    Recorder(URI service) {
        this.service = service;
        try {
            this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::forward);
        server.start();
    }

    URI endpoint() {
        return URI.create("http://localhost:" + server.getAddress().getPort());
    }

    /** Returns the actions requested since the last call, such as {@code GetItem}. */
    synchronized Set<String> take() {
        Set<String> taken = new TreeSet<>(actions);
        actions.clear();
        return taken;
    }

    private synchronized void note(@Nullable String target) {
        if (target != null) {
            actions.add(target.substring(target.indexOf('.') + 1));
        }
    }

    private void forward(HttpExchange exchange) throws IOException {
        note(exchange.getRequestHeaders().getFirst(TARGET));
        HttpURLConnection connection = (HttpURLConnection) service.toURL().openConnection();
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!name.equalsIgnoreCase("Host") && !name.equalsIgnoreCase("Content-Length")) {
                values.forEach(value -> connection.addRequestProperty(name, value));
            }
        });
        try (var to = connection.getOutputStream()) {
            exchange.getRequestBody().transferTo(to);
        }
        int status = connection.getResponseCode();
        try (var from = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            byte[] body = from.readAllBytes();
            connection.getHeaderFields().forEach((name, values) -> {
                if (name != null && name.toLowerCase(Locale.ROOT).startsWith("x-amz")) {
                    values.forEach(value -> exchange.getResponseHeaders().add(name, value));
                }
            });
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } finally {
            exchange.close();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
