package dev.holdfast.chaos.process;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** The {@code holdfast} command in a JVM of its own. */
public final class HoldfastCommand {
    private static final String MAIN = "dev.holdfast.cli.Main";

    private HoldfastCommand() {}

    /** Runs {@code holdfast store init}. */
    public static void init(String store, Map<String, String> environment) throws IOException, InterruptedException {
        ToolRun.run("holdfast store init", JavaProgram.command(MAIN, "store", "init", "--store", store), environment);
    }

    /** Starts {@code holdfast serve} on a port, and waits until it serves. Its store need not respond. Its log has every request. */
    public static RestartableProcess serve(String store, int port, Map<String, String> environment, Path log)
            throws IOException, InterruptedException {
        RestartableProcess server = new RestartableProcess(
                "holdfast serve",
                JavaProgram.command(
                        MAIN,
                        "serve",
                        "--store",
                        store,
                        "--listen",
                        "127.0.0.1:" + port,
                        "--drain",
                        "3s",
                        "--no-ui",
                        "--verbose"),
                environment,
                log,
                () -> isLive(port));
        server.start();
        return server;
    }

    private static boolean isLive(int port) throws IOException {
        URI health = URI.create("http://127.0.0.1:" + port + "/health/live");
        HttpURLConnection connection = (HttpURLConnection) health.toURL().openConnection();
        connection.setConnectTimeout(1000);
        connection.setReadTimeout(2000);
        try {
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } finally {
            connection.disconnect();
        }
    }
}
