package dev.holdfast.chaos.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One run of a program that ends by itself. */
final class ToolRun {
    private static final long PATIENCE_SECONDS = 120;

    private ToolRun() {}

    /** @throws IOException with the output of the program, if it fails */
    static void run(String name, List<String> command) throws IOException, InterruptedException {
        run(name, command, Map.of());
    }

    /** @throws IOException with the output of the program, if it fails */
    static void run(String name, List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(name + ": no end after " + PATIENCE_SECONDS + " s");
        }
        if (process.exitValue() != 0) {
            throw new IOException(name + ": exit code " + process.exitValue() + ": " + output.strip());
        }
    }
}
