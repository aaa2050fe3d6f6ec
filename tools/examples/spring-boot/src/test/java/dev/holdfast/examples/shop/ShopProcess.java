package dev.holdfast.examples.shop;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real process with an instance of the application. */
final class ShopProcess implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    private final Process process;
    private final CompletableFuture<Integer> port = new CompletableFuture<>();
    private final Queue<String> output = new ConcurrentLinkedQueue<>();
    private final HttpClient http = HttpClient.newHttpClient();

    private ShopProcess(Process process) {
        this.process = process;
        // It must not outlive the program that started it, however that ends.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        Thread reader = new Thread(this::read, "shop-output");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts an instance on a database, at a free port. */
    static ShopProcess start(Path target, String jdbcUrl) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ShopProcess(new ProcessBuilder(
                        java,
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*",
                        "dev.holdfast.examples.shop.ShopApplication",
                        "--server.port=0",
                        "--server.address=127.0.0.1",
                        "--spring.datasource.url=" + jdbcUrl)
                .redirectErrorStream(true)
                .start());
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.add(line);
                Matcher started = PORT.matcher(line);
                if (started.find()) {
                    port.complete(Integer.valueOf(started.group(1)));
                }
            }
        } catch (IOException e) {
            output.add(e.toString());
        }
        port.completeExceptionally(new IllegalStateException("it ended:\n" + output()));
    }

    String name() {
        return "shop-" + process.pid();
    }

    String output() {
        return String.join("\n", output);
    }

    int port() {
        try {
            return port.get(120, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("not started:\n" + output(), e);
        }
    }

    String get(String path) throws IOException, InterruptedException {
        return send(request(path).GET().build());
    }

    String post(String path) throws IOException, InterruptedException {
        return send(request(path).POST(HttpRequest.BodyPublishers.noBody()).build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
    }

    private String send(HttpRequest request) throws IOException, InterruptedException {
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    /** Whether the actuator of this instance shows it as the leader. */
    boolean leads() throws IOException, InterruptedException {
        return Pattern.compile("\"price-feed\":\\{[^}]*\"leader\":true")
                .matcher(get("/actuator/holdfast"))
                .find();
    }

    /** Ends the process without any warning: SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends the process in an orderly way: SIGTERM. */
    boolean stop() throws InterruptedException {
        process.destroy();
        return process.waitFor(60, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
