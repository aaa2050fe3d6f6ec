package dev.holdfast.packages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.packages.PackageCommand.Result;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive with its own runtime: works where there is no Java, with an empty search path. */
class RuntimeImageTest {
    @TempDir
    private static Path folder;

    private static Path home;
    private static PackageCommand image;

    @BeforeAll
    static void unpack() throws Exception {
        PackageCommand system = new PackageCommand(Map.of("PATH", "/usr/bin:/bin"), folder);
        Result unpacked = system.run("tar", "xzf", System.getProperty("holdfast.archive"));
        assertThat(unpacked.code()).as(unpacked.output()).isZero();
        try (var entries = Files.list(folder)) {
            home = entries.filter(Files::isDirectory).findFirst().orElseThrow();
        }
        image = new PackageCommand(Map.of("HOLDFAST_STORE", "sqlite:" + folder.resolve("leases.db")), folder);
    }

    private static Result holdfast(String... arguments) throws Exception {
        return image.run(command(arguments));
    }

    private static String[] command(String... arguments) {
        String[] command = new String[arguments.length + 1];
        command[0] = home.resolve("bin/holdfast").toString();
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        return command;
    }

    @Test
    void itRunsACommandUnderALeaseInAFile() throws Exception {
        assertThat(holdfast("run", "a", "--", "/bin/echo", "ran")).isEqualTo(new Result(0, "ran\n"));
        assertThat(holdfast("ls", "--status", "all").output()).contains("a");
    }

    @Test
    void itServesAndItsCommandsUseTheServer() throws Exception {
        Path output = folder.resolve("serve.txt");
        Process server = image.start(output, command("serve", "--listen", "127.0.0.1:0"));
        try {
            String line = PackageCommand.awaitLine(server, output, ".*http://127\\.0\\.0\\.1:\\d+.*");
            String url = line.replaceAll(".*(http://127\\.0\\.0\\.1:\\d+).*", "$1");
            assertThat(holdfast("run", "--store", url, "b", "--", "/bin/echo", "ran"))
                    .isEqualTo(new Result(0, "ran\n"));
        } finally {
            server.destroy();
            assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(Files.readString(output)).doesNotContain("Exception", "Error");
    }

    @Test
    void itUsesPostgres() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            String url = "postgresql://postgres@localhost:" + postgres.getPort() + "/postgres";
            assertThat(holdfast("run", "--store", url, "c", "--", "/bin/echo", "ran"))
                    .isEqualTo(new Result(0, "ran\n"));
        }
    }

    @Test
    void itHasTheModulesForDynamo() throws Exception {
        Map<String, String> credentials = Map.of("AWS_ACCESS_KEY_ID", "local", "AWS_SECRET_ACCESS_KEY", "local");
        String closedPort = "dynamodb://leases?region=us-east-1&endpoint=http://127.0.0.1:1&timeout=1s";
        Result result = new PackageCommand(credentials, folder).run(command("ls", "--store", closedPort));
        assertThat(result.code()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).contains("Connect").doesNotContain("NoClassDef", "ClassNotFound");
    }

    @Test
    void itTrustsTheUsualAuthorities() throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        try (InputStream in = Files.newInputStream(home.resolve("runtime/lib/security/cacerts"))) {
            trusted.load(in, null);
        }
        assertThat(trusted.size()).isGreaterThan(50);
    }

    @Test
    void itHasManualPagesAndCompletions() throws Exception {
        assertThat(home.resolve("share/man/man1"))
                .isDirectoryContaining("glob:**/holdfast.1.gz")
                .isDirectoryContaining("glob:**/holdfast-run.1.gz")
                .isDirectoryContaining("glob:**/holdfast-fleet-join.1.gz");
        assertThat(home.resolve("share/bash-completion/completions/holdfast"))
                .content()
                .contains("acquire");
    }
}
