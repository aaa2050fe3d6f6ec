package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application that is a Java module uses the modules of Holdfast, and cannot see inside them. */
class ModulePathTest {
    /** The jars and folders of this test that an application on SQLite needs. */
    private static final String MODULES = Arrays.stream(
                    System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(
                    entry -> entry.matches(
                            ".*([/\\\\](core|fleet|sqlite)[/\\\\]target[/\\\\].*"
                                    + "|[/\\\\](holdfast-core|holdfast-fleet|holdfast-sqlite|sqlite-jdbc|slf4j-api|slf4j-nop|jspecify)-.*jar)"))
            .collect(Collectors.joining(File.pathSeparator));

    @TempDir
    private Path folder;

    @Test
    void aModuleLeasesAKeyOnAnSqliteFile() throws Exception {
        String messages = compile("""
                import dev.holdfast.Holdfast;
                import dev.holdfast.Leases;

                public final class Main {
                    public static void main(String[] arguments) throws Exception {
                        try (Leases leases = Holdfast.open("sqlite:" + arguments[0])) {
                            leases.run("deploy", lease -> System.out.println("holds " + lease.key().name()));
                        }
                    }
                }
                """);
        assertThat(messages).isEmpty();

        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--module-path",
                        MODULES + File.pathSeparator + folder.resolve("classes"),
                        "--add-modules",
                        "dev.holdfast.sqlite",
                        "--module",
                        "app/app.Main",
                        folder.resolve("leases.db").toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("holds deploy");
    }

    @Test
    void aModuleCannotImportWhatIsInternal() throws IOException {
        String messages = compile("""
                public final class Main {
                    Class<?> pipeline = dev.holdfast.internal.pipeline.RequestPipeline.class;
                    Class<?> futures = dev.holdfast.support.Futures.class;
                    Class<?> worker = dev.holdfast.fleet.internal.worker.PlannedWorker.class;
                }
                """);
        assertThat(messages)
                .contains("dev.holdfast.internal.pipeline is not visible")
                .contains("dev.holdfast.support is not visible")
                .contains("dev.holdfast.fleet.internal.worker is not visible");
    }

    private String compile(String main) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("sources/app"));
        Path descriptor = Files.writeString(
                sources.resolveSibling("module-info.java"),
                "module app { requires dev.holdfast; requires dev.holdfast.fleet; }");
        Path program = Files.writeString(sources.resolve("Main.java"), "package app;\n\n" + main);
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        messages,
                        messages,
                        "--module-path",
                        MODULES,
                        "-d",
                        folder.resolve("classes").toString(),
                        descriptor.toString(),
                        program.toString());
        return messages.toString(StandardCharsets.UTF_8);
    }
}
