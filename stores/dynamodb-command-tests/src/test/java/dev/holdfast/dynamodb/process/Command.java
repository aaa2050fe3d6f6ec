package dev.holdfast.dynamodb.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The {@code holdfast} command of the distribution, with the test's own store. */
public final class Command {
    private static final Path HOLDFAST =
            Path.of(System.getProperty("holdfast.distribution")).resolve("bin/holdfast");
    private static final long PATIENCE_SECONDS = 120;

    private final Path folder;
    private final Map<String, String> environment = new HashMap<>();

    public Command(Path folder, String store) {
        this.folder = folder;
        environment.put("HOLDFAST_STORE", store);
        environment.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("AWS_ACCESS_KEY_ID", "local");
        environment.put("AWS_SECRET_ACCESS_KEY", "local");
        environment.put("AWS_EC2_METADATA_DISABLED", "true");
    }

    public Command with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Result of a call. */
    public record Result(int code, String out, String err) {
        /** Returns the one line that was printed. */
        public String line() {
            assertThat(code).as(err).isZero();
            return out.strip();
        }
    }

    public Result run(String... args) {
        try (Started started = start(args)) {
            return started.result();
        }
    }

    /** Starts the command without waiting for its end. */
    public Started start(String... args) {
        List<String> command = new ArrayList<>(List.of("sh", HOLDFAST.toString()));
        command.addAll(List.of(args));
        try {
            Path out = Files.createTempFile(folder, "out", "");
            Path err = Files.createTempFile(folder, "err", "");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_") || name.startsWith("AWS_"));
            builder.environment().putAll(environment);
            return new Started(builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A running call. Closing it kills the process and all its children. */
    public static final class Started implements AutoCloseable {
        private final Process process;
        private final Path out;
        private final Path err;

        private Started(Process process, Path out, Path err) {
            this.process = process;
            this.out = out;
            this.err = err;
        }

        public String out() {
            return contents(out);
        }

        public String err() {
            return contents(err);
        }

        public long pid() {
            return process.pid();
        }

        public boolean isAlive() {
            return process.isAlive();
        }

        /** Returns the result after the end of the process. */
        public Result result() {
            try {
                assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .as(() -> "ends in time; so far: " + out() + err())
                        .isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return new Result(process.exitValue(), out(), err());
        }

        /** Kills holdfast itself, as the kernel does when memory runs out. */
        public void kill() {
            process.destroyForcibly();
        }

        /** Sends a termination request. */
        public void terminate() {
            process.destroy();
        }

        @Override
        public void close() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }

        private static String contents(Path file) {
            try {
                return Files.readString(file, UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
