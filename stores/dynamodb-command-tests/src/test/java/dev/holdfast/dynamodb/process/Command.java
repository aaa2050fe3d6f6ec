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
final class Command {
    private static final Path HOLDFAST =
            Path.of(System.getProperty("holdfast.distribution")).resolve("bin/holdfast");
    private static final long PATIENCE_SECONDS = 120;

    private final Path folder;
    private final Map<String, String> environment = new HashMap<>();

    Command(Path folder, String store) {
        this.folder = folder;
        environment.put("HOLDFAST_STORE", store);
        environment.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("AWS_ACCESS_KEY_ID", "local");
        environment.put("AWS_SECRET_ACCESS_KEY", "local");
        environment.put("AWS_EC2_METADATA_DISABLED", "true");
    }

    Command with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** What came of a call. */
    record Result(int code, String out, String err) {
        /** The one line that was printed. */
        String line() {
            assertThat(code).as(err).isZero();
            return out.strip();
        }
    }

    Result run(String... args) {
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
            Process process = builder.start();
            try {
                assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .as("ends in time: " + List.of(args))
                        .isTrue();
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            return new Result(process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
