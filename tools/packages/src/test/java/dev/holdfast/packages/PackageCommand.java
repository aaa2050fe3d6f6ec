package dev.holdfast.packages;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A command that a test runs with only the environment that the test names: no search path, no Java. */
record PackageCommand(Map<String, String> environment, Path folder) {
    /** The result of a command: its exit code, and all that it printed. */
    record Result(int code, String output) {}

    Result run(String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        Process process = start(output, command);
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(List.of(command) + " does not end: " + Files.readString(output));
        }
        return new Result(process.exitValue(), Files.readString(output));
    }

    Process start(Path output, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Waits until the output of a process has a line that matches, and returns the line. */
    static String awaitLine(Process process, Path output, String pattern) throws Exception {
        for (int i = 0; i < 1200; i++) {
            for (String line : Files.readAllLines(output, UTF_8)) {
                if (line.matches(pattern)) {
                    return line;
                }
            }
            if (!process.isAlive()) {
                break;
            }
            Thread.sleep(50);
        }
        throw new AssertionError("no line " + pattern + " in: " + Files.readString(output));
    }
}
