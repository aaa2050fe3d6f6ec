package dev.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java snippets of docs/bridges.md compile, except those that show the code before the change. */
class BridgesDocTest {
    private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private static final String AROUND = """
            import dev.holdfast.*;
            import dev.holdfast.locks.*;
            import dev.holdfast.micrometer.*;
            import dev.holdfast.shedlock.*;
            import dev.holdfast.spring.integration.*;
            import io.micrometer.common.KeyValues;
            import io.micrometer.core.instrument.*;
            import io.micrometer.observation.ObservationRegistry;
            import java.time.Duration;
            import java.util.concurrent.locks.Lock;
            import net.javacrumbs.shedlock.core.LockProvider;
            import org.springframework.integration.support.locks.*;
            import reactor.core.publisher.Mono;

            abstract class Snippet%d {
                Leases leases;
                String url;
                Key key;
                AcquireOptions options;
                Duration wait;
                MeterRegistry registry;
                ObservationRegistry observationRegistry;

                abstract void report();

                abstract void stopWork(Key key);

                abstract void write(Fence fence);

                abstract Mono<String> work(Lease lease);

                void run() {
            %s
                }
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void theSnippetsCompile() throws IOException {
        String page = Files.readString(Path.of("../../docs/bridges.md"));
        List<String> files = new ArrayList<>();
        for (Matcher found = SNIPPET.matcher(page); found.find(); ) {
            if (!found.group(1).startsWith("// before")) {
                int number = files.size();
                Path file = folder.resolve("Snippet" + number + ".java");
                files.add(Files.writeString(file, AROUND.formatted(number, found.group(1)))
                        .toString());
            }
        }

        assertThat(files).hasSizeGreaterThan(6);
        List<String> arguments = new ArrayList<>(
                List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none"));
        arguments.addAll(files);
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int status =
                ToolProvider.getSystemJavaCompiler().run(null, messages, messages, arguments.toArray(String[]::new));
        assertThat(status).as(messages.toString(StandardCharsets.UTF_8)).isZero();
    }
}
