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

/** {@code holdfast} of the distribution, with a store of the test's own. */
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

    /** What came of a call. */
    public record Result(int code, String out, String err) {
        /** The one line that was printed. */
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

    /** Starts it, and does not wait for its end. */
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

    /** A call that is under way; it is killed, with all that it started, when this is closed. */
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

        /** What came of it, when it has ended. */
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

        /** Ends holdfast itself, as the kernel does when memory runs out. */
        public void kill() {
            process.destroyForcibly();
        }

        /** Asks it to end. */
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
