package dev.holdfast.dynamodb.layouts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.dynamodb.LocalDynamo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The {@code holdfast} command of the distribution, under the name of awsflock. */
final class AwsFlockProcess {
    private static final long PATIENCE_SECONDS = 120;

    private final Path folder;
    private final Map<String, String> environment = new HashMap<>();

    AwsFlockProcess(Path folder, String table) {
        this.folder = folder;
        environment.put("HOME", folder.toString());
        environment.put("XDG_CONFIG_HOME", folder.toString());
        environment.put("HOSTNAME", "test-host");
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("AWS_ACCESS_KEY_ID", "local");
        environment.put("AWS_SECRET_ACCESS_KEY", "local");
        environment.put("AWS_REGION", "us-east-1");
        environment.put("DYNAMO_ENDPOINT_URL", LocalDynamo.endpoint().toString());
        environment.put("AWSFLOCK_TABLE", table);
    }

    AwsFlockProcess with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    AwsFlockProcess without(String name) {
        environment.remove(name);
        return this;
    }

    /** Result of a call. */
    record Result(int code, String out, String err) {
        /** Returns the one line that was printed. */
        String line() {
            assertThat(code).as(err).isZero();
            return out.strip();
        }
    }

    private Path link() throws IOException {
        Path link = folder.resolve("awsflock");
        return Files.exists(link)
                ? link
                : Files.createSymbolicLink(
                        link,
                        Path.of(System.getProperty("holdfast.distribution")).resolve("bin/holdfast"));
    }

    Result run(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(link().toString()));
        command.addAll(List.of(args));
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_") || name.startsWith("AWS"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("ends in time")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    }
}
