package dev.holdfast.chaos.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One run of a program that ends by itself. */
final class ToolRun {
    private static final long PATIENCE_SECONDS = 120;

    private ToolRun() {}

    /** @throws IOException with the output of the program, if it fails */
    static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + ": no end after " + PATIENCE_SECONDS + " s");
        }
        if (process.exitValue() != 0) {
            throw new IOException(
                    String.join(" ", command) + ": exit code " + process.exitValue() + ": " + output.strip());
        }
    }
}
